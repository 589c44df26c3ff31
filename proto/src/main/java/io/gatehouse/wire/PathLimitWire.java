package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.uint32;

import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathEffect;
import java.util.Optional;

/** Limits of paths as messages. What they mean for the network is told, and never read. */
public final class PathLimitWire {
  private PathLimitWire() {}

  /** The limit of a network, if it has one. */
  public static Optional<io.gatehouse.proto.v1.PathLimit> toProto(Network network) {
    return network
        .pathLimit()
        .map(
            limit ->
                io.gatehouse.proto.v1.PathLimit.newBuilder()
                    .setEffect(
                        network.isDegraded()
                            ? PathEffect.PATH_EFFECT_DEGRADED
                            : PathEffect.PATH_EFFECT_LOWERED)
                    .setLargestMtuBytes(limit.largestBytes())
                    .setFromDpu(limit.from().toString())
                    .setToDpu(limit.to().toString())
                    .setUnlimitedMtuBytes(limit.unlimitedBytes())
                    .setSinceTime(TimeWire.toProto(limit.since()))
                    .build());
  }

  static PathLimit fromProto(io.gatehouse.proto.v1.PathLimit message) {
    return new PathLimit(
        uint32("largest_mtu_bytes", message.getLargestMtuBytes()),
        read("from_dpu", message.getFromDpu(), DpuName::parse),
        read("to_dpu", message.getToDpu(), DpuName::parse),
        uint32("unlimited_mtu_bytes", message.getUnlimitedMtuBytes()),
        TimeWire.fromProto("since_time", message.getSinceTime()));
  }
}
