package io.gatehouse.control.cli.mtu;

import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.UnderlayPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which DPU reaches which, with packets of what size: rows are where packets come from, columns
 * where they go. Two that share no network have no path.
 */
final class PathMap {
  /** More columns than that do not fit a terminal. */
  static final int MAX_COLUMNS = 12;

  private static final String PREFIX = "dpus/";

  /**
   * One cell.
   *
   * @param current false if the DPU is away, and this is what it said last
   */
  record Cell(UnderlayPath path, boolean current) {
    /** The largest size proven, with a mark if it is less than what is needed. */
    String text() {
      String size =
          switch (path.getState()) {
            case PATH_STATE_PROVEN -> Integer.toString(path.getProvenBytes());
            case PATH_STATE_BLACK_HOLE -> path.getProvenBytes() + "!";
            case PATH_STATE_UNREACHABLE -> "none!";
            case PATH_STATE_SEARCHING, PATH_STATE_UNSPECIFIED, UNRECOGNIZED -> "?";
          };
      return current ? size : size + "*";
    }

    boolean isWrong() {
      return path.getState() == PathState.PATH_STATE_BLACK_HOLE
          || path.getState() == PathState.PATH_STATE_UNREACHABLE;
    }

    boolean isProven() {
      return current && path.getState() == PathState.PATH_STATE_PROVEN;
    }
  }

  private final SortedMap<String, Map<String, Cell>> rows = new TreeMap<>();
  private final SortedSet<String> names = new TreeSet<>();

  PathMap(Collection<DpuPaths> dpus) {
    for (DpuPaths dpu : dpus) {
      Map<String, Cell> row = new HashMap<>();
      for (UnderlayPath path : dpu.getPathsList()) {
        row.put(id(path.getPeer()), new Cell(path, dpu.getConnected()));
      }
      rows.put(id(dpu.getDpu()), row);
      names.add(id(dpu.getDpu()));
      names.addAll(row.keySet());
    }
  }

  /** The names of rows and columns, in order. */
  SortedSet<String> names() {
    return names;
  }

  Optional<Cell> cell(String from, String to) {
    return Optional.ofNullable(rows.getOrDefault(from, Map.of()).get(to));
  }

  /** The same map with only those DPUs that have a path that is not proven, either way. */
  PathMap unproven() {
    PathMap part = new PathMap(List.of());
    rows.forEach(
        (from, row) ->
            row.forEach(
                (to, cell) -> {
                  if (!cell.isProven()) {
                    part.rows.computeIfAbsent(from, name -> new HashMap<>()).put(to, cell);
                    part.names.addAll(List.of(from, to));
                  }
                }));
    return part;
  }

  /** What is wrong, one sentence a path. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    rows.forEach(
        (from, row) ->
            new TreeMap<>(row)
                .forEach(
                    (to, cell) -> {
                      if (cell.isWrong()) {
                        problems.add(from + " -> " + to + ": " + problem(cell.path()));
                      }
                    }));
    return problems;
  }

  /** What is wrong with a path that is not proven. */
  static String problem(UnderlayPath path) {
    String hop = path.hasHop() ? "; " + HopText.of(path) : "";
    String needed = "; its networks need " + path.getWantedBytes() + hop;
    if (path.getState() == PathState.PATH_STATE_UNREACHABLE) {
      return "nothing arrives, of any size" + needed;
    }
    return path.getLostBytes() == 0
        ? "nothing arrives on one of several ways" + needed
        : "%d arrives, %d vanishes%s".formatted(path.getProvenBytes(), path.getLostBytes(), needed);
  }

  private static String id(String name) {
    return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
  }
}
