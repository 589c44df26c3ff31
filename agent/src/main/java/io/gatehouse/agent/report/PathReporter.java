package io.gatehouse.agent.report;

import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.TunnelTestKind;
import io.gatehouse.proto.v1.UnderlayPath;
import io.gatehouse.wire.TimeWire;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Paths in the words of the contract, within its bounds. */
public final class PathReporter {
  private static final int MAX_PATHS = 1_024;

  private PathReporter() {}

  /**
   * All paths; if they are too many, black holes come first, then what is not known.
   *
   * @param hops where they get too small, as far as that is known
   */
  public static PathReport report(
      SortedMap<DpuName, PathStatus> paths, SortedMap<DpuName, PathHop> hops) {
    PathReport.Builder report = PathReport.newBuilder();
    paths.entrySet().stream()
        .sorted(Comparator.comparingInt(PathReporter::rank))
        .limit(MAX_PATHS)
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry -> {
              Optional<PathHop> hop = Optional.ofNullable(hops.get(entry.getKey()));
              report.addPaths(path(entry.getKey().toString(), entry.getValue(), hop));
            });
    return report.build();
  }

  private static int rank(Map.Entry<DpuName, PathStatus> entry) {
    return switch (entry.getValue().verdict().state()) {
      case BLACK_HOLE -> 0;
      case SEARCHING, UNREACHABLE -> 1;
      case PROVEN -> 2;
    };
  }

  static UnderlayPath path(String peer, PathStatus status, Optional<PathHop> hop) {
    PathVerdict verdict = status.verdict();
    UnderlayPath.Builder path = UnderlayPath.newBuilder();
    hop.ifPresent(known -> path.setHop(hop(known)));
    return path.setPeer(peer)
        .setState(io.gatehouse.proto.v1.PathState.valueOf("PATH_STATE_" + verdict.state().name()))
        .setWantedBytes(verdict.wantedBytes())
        .setProvenBytes(verdict.provenBytes())
        .setLostBytes(verdict.lostBytes())
        .setSinceTime(TimeWire.toProto(status.since()))
        .build();
  }

  private static io.gatehouse.proto.v1.PathHop hop(PathHop hop) {
    return io.gatehouse.proto.v1.PathHop.newBuilder()
        .setDistance(hop.distance())
        .setAddress(hop.address().map(IpAddress::toString).orElse(""))
        .setMtuBytes(hop.mtuBytes())
        .setUnknown(AckReporter.cut(hop.unknown()))
        .build();
  }

  static io.gatehouse.proto.v1.TunnelTest test(TunnelTest test) {
    return io.gatehouse.proto.v1.TunnelTest.newBuilder()
        .setNetwork(test.network().toString())
        .setKind(TunnelTestKind.valueOf("TUNNEL_TEST_KIND_" + test.kind().name()))
        .setInnerBytes(test.innerBytes())
        .setSentCount(test.sent())
        .setArrivedCount(test.arrived())
        .setDamagedCount(test.damaged())
        .build();
  }
}
