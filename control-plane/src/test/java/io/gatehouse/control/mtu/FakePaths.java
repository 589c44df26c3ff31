package io.gatehouse.control.mtu;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.UnderlayPath;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reports of paths as agents give them: each DPU that has told anything, all its paths. */
final class FakePaths implements ReportedPaths {
  private final Map<DpuName, Map<String, UnderlayPath>> paths = new TreeMap<>();
  private final Map<DpuName, PathReport> reports = new TreeMap<>();

  @Override
  public Optional<PathReport> of(DpuName dpu) {
    return Optional.ofNullable(reports.get(dpu));
  }

  FakePaths proven(String from, String to, int bytes) {
    return tell(from, to, PathState.PATH_STATE_PROVEN, bytes);
  }

  FakePaths narrow(String from, String to, int bytes) {
    return tell(from, to, PathState.PATH_STATE_BLACK_HOLE, bytes);
  }

  FakePaths tell(String from, String to, PathState state, int provenBytes) {
    DpuName dpu = DpuName.parse(from);
    paths
        .computeIfAbsent(dpu, name -> new TreeMap<>())
        .put(
            to,
            UnderlayPath.newBuilder()
                .setPeer(to)
                .setState(state)
                .setProvenBytes(provenBytes)
                .setLostBytes(state == PathState.PATH_STATE_BLACK_HOLE ? provenBytes + 1 : 0)
                .build());
    return back(from);
  }

  /** A search that has not come to its end: some size above this one vanishes. */
  FakePaths searching(String from, String to, int bytes) {
    narrow(from, to, bytes);
    DpuName dpu = DpuName.parse(from);
    paths
        .computeIfAbsent(dpu, name -> new TreeMap<>())
        .computeIfPresent(to, (peer, path) -> path.toBuilder().setLostBytes(bytes + 100).build());
    return back(from);
  }

  /** The DPU's agent does not tell of this path any more. */
  FakePaths forget(String from, String to) {
    paths.getOrDefault(DpuName.parse(from), new TreeMap<>()).remove(to);
    return back(from);
  }

  /** The DPU's agent ends its stream. */
  FakePaths away(String dpu) {
    reports.remove(DpuName.parse(dpu));
    return this;
  }

  /** The DPU's agent tells what it knows. */
  FakePaths back(String dpu) {
    DpuName name = DpuName.parse(dpu);
    reports.put(
        name,
        PathReport.newBuilder().addAllPaths(paths.getOrDefault(name, Map.of()).values()).build());
    return this;
  }
}
