package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.uint32;

import io.gatehouse.model.Dpu;
import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;

/** DPUs as messages, whole, without etag and status. */
public final class DpuWire {
  private DpuWire() {}

  public static io.gatehouse.proto.v1.Dpu toProto(Dpu dpu) {
    return io.gatehouse.proto.v1.Dpu.newBuilder()
        .setName(dpu.name().toString())
        .setDisplayName(dpu.displayName())
        .setVtepAddress(dpu.vtepAddress().toString())
        .setUnderlayMtuBytes(dpu.underlayMtuBytes())
        .setFailureDomain(
            io.gatehouse.proto.v1.FailureDomain.newBuilder()
                .setSite(dpu.failureDomain().site())
                .setRow(dpu.failureDomain().row())
                .setRack(dpu.failureDomain().rack()))
        .setCreateTime(TimeWire.toProto(dpu.createdAt()))
        .setUpdateTime(TimeWire.toProto(dpu.updatedAt()))
        .build();
  }

  /**
   * Reads a whole DPU, as stored.
   *
   * @throws InvalidValueException with the path of the field below the DPU
   */
  public static Dpu fromProto(io.gatehouse.proto.v1.Dpu message) {
    return new Dpu(
        read("name", message.getName(), DpuName::parse),
        message.getDisplayName(),
        read("vtep_address", message.getVtepAddress(), IpAddress::parse),
        uint32("underlay_mtu_bytes", message.getUnderlayMtuBytes()),
        failureDomain(message.getFailureDomain()),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  public static FailureDomain failureDomain(io.gatehouse.proto.v1.FailureDomain message) {
    return new FailureDomain(message.getSite(), message.getRow(), message.getRack());
  }
}
