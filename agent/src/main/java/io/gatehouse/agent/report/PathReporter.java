package io.gatehouse.agent.report;

import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.UnderlayPath;
import io.gatehouse.wire.TimeWire;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;

/** Paths in the words of the contract, within its bounds. */
public final class PathReporter {
  private static final int MAX_PATHS = 1_024;

  private PathReporter() {}

  /** All paths; if they are too many, those that are not proven come first. */
  public static PathReport report(SortedMap<DpuName, PathStatus> paths) {
    PathReport.Builder report = PathReport.newBuilder();
    paths.entrySet().stream()
        .sorted(Comparator.comparing(PathReporter::isProven))
        .limit(MAX_PATHS)
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> report.addPaths(path(entry.getKey(), entry.getValue())));
    return report.build();
  }

  private static boolean isProven(Map.Entry<DpuName, PathStatus> entry) {
    return entry.getValue().verdict().state() == PathState.PROVEN;
  }

  private static UnderlayPath path(DpuName peer, PathStatus status) {
    PathVerdict verdict = status.verdict();
    return UnderlayPath.newBuilder()
        .setPeer(peer.toString())
        .setState(io.gatehouse.proto.v1.PathState.valueOf("PATH_STATE_" + verdict.state().name()))
        .setWantedBytes(verdict.wantedBytes())
        .setProvenBytes(verdict.provenBytes())
        .setLostBytes(verdict.lostBytes())
        .setSinceTime(TimeWire.toProto(status.since()))
        .build();
  }
}
