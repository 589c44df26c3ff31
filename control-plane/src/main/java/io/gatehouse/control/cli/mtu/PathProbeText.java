package io.gatehouse.control.cli.mtu;

import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.ProbePathResponse;
import io.gatehouse.proto.v1.ProbedPath;
import io.gatehouse.proto.v1.TunnelTest;
import io.gatehouse.proto.v1.TunnelTestKind;
import io.gatehouse.proto.v1.UnderlayPath;
import java.util.List;
import java.util.Locale;

/** A path that was measured on demand, for people. */
final class PathProbeText {
  private static final String PATH_PREFIX = "PATH_STATE_";

  private PathProbeText() {}

  /** Both directions, the tests of the tunnels, and a sentence for each thing that is wrong. */
  static String of(ProbePathResponse response) {
    Table paths = new Table(List.of("FROM", "TO", "CARRIES", "NEEDED", "STATE", "HOP"));
    Table tests =
        new Table(
            List.of(
                "FROM", "TO", "NETWORK", "INSIDE", "BYTES", "SENT", "ARRIVED", "DAMAGED",
                "RESULT"));
    StringBuilder notes = new StringBuilder();
    boolean tested = false;
    for (ProbedPath path : response.getPathsList()) {
      paths.row(row(path));
      path.getTunnelTestsList().forEach(test -> tests.row(row(path, test)));
      tested |= path.getTunnelTestsCount() > 0;
      notes(path, notes);
    }
    StringBuilder text = new StringBuilder(paths.toString());
    if (tested) {
      text.append('\n').append(tests);
    }
    return notes.length() == 0 ? text.toString() : text.append('\n').append(notes).toString();
  }

  private static List<String> row(ProbedPath path) {
    UnderlayPath found = path.getPath();
    return List.of(
        id(path.getFrom()),
        id(path.getTo()),
        path.hasPath() ? Integer.toString(found.getProvenBytes()) : "",
        path.hasPath() ? Integer.toString(found.getWantedBytes()) : "",
        path.hasPath() ? state(found.getState()) : "not measured",
        found.hasHop() ? HopText.of(found) : "");
  }

  private static List<String> row(ProbedPath path, TunnelTest test) {
    return List.of(
        id(path.getFrom()),
        id(path.getTo()),
        network(test),
        kind(test.getKind()),
        Integer.toString(test.getInnerBytes()),
        Integer.toString(test.getSentCount()),
        Integer.toString(test.getArrivedCount()),
        Integer.toString(test.getDamagedCount()),
        isWhole(test) ? "ok" : "failed");
  }

  private static void notes(ProbedPath path, StringBuilder notes) {
    String way = id(path.getFrom()) + " -> " + id(path.getTo()) + ": ";
    if (!path.getUnavailable().isEmpty()) {
      notes.append(way).append(path.getUnavailable()).append('\n');
    }
    if (isUnproven(path)) {
      notes.append(way).append(PathMap.problem(path.getPath())).append('\n');
    }
    for (TunnelTest test : path.getTunnelTestsList()) {
      if (!isWhole(test)) {
        notes.append(way).append(problem(path, test)).append('\n');
      }
    }
  }

  private static String problem(ProbedPath path, TunnelTest test) {
    int lost = test.getSentCount() - test.getArrivedCount() - test.getDamagedCount();
    String what =
        "%s of %s: of %d packets of %d bytes through the tunnel %d are lost, %d damaged"
            .formatted(
                kind(test.getKind()),
                network(test),
                test.getSentCount(),
                test.getInnerBytes(),
                lost,
                test.getDamagedCount());
    return path.getPath().getState() == PathState.PATH_STATE_PROVEN
        ? what + ", while plain packets of the same size on the underlay arrive"
        : what;
  }

  /** A path that does not carry what is needed, or a tunnel that loses or changes packets. */
  static boolean isWrong(ProbedPath path) {
    return isUnproven(path) || path.getTunnelTestsList().stream().anyMatch(test -> !isWhole(test));
  }

  /** All that was asked for is known, and well. */
  static boolean isProven(ProbedPath path) {
    return path.getPath().getState() == PathState.PATH_STATE_PROVEN
        && path.getTunnelTestsList().stream().allMatch(PathProbeText::isWhole)
        && path.getUnavailable().isEmpty();
  }

  private static boolean isUnproven(ProbedPath path) {
    PathState state = path.getPath().getState();
    return state == PathState.PATH_STATE_BLACK_HOLE || state == PathState.PATH_STATE_UNREACHABLE;
  }

  private static boolean isWhole(TunnelTest test) {
    return test.getSentCount() > 0 && test.getArrivedCount() == test.getSentCount();
  }

  private static String state(PathState state) {
    String name = state.name();
    return name.startsWith(PATH_PREFIX) ? words(name.substring(PATH_PREFIX.length())) : name;
  }

  private static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String kind(TunnelTestKind kind) {
    return switch (kind) {
      case TUNNEL_TEST_KIND_UDP_IPV4 -> "UDP over IPv4";
      case TUNNEL_TEST_KIND_TCP_IPV4 -> "TCP over IPv4";
      case TUNNEL_TEST_KIND_UDP_IPV6 -> "UDP over IPv6";
      case TUNNEL_TEST_KIND_TCP_IPV6 -> "TCP over IPv6";
      case TUNNEL_TEST_KIND_UNSPECIFIED, UNRECOGNIZED -> "unknown";
    };
  }

  private static String network(TunnelTest test) {
    return ResourceKinds.NETWORK.form().shorten(test.getNetwork());
  }

  private static String id(String dpu) {
    return ResourceKinds.DPU.form().shorten(dpu);
  }
}
