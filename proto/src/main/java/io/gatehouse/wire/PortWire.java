package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readAll;
import static io.gatehouse.wire.FieldReader.readWithin;

import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.proto.v1.PortAdminState;
import java.util.List;
import java.util.Objects;

/** Ports as messages, whole, without etag and status. */
public final class PortWire {
  private PortWire() {}

  public static io.gatehouse.proto.v1.Port toProto(Port port) {
    return io.gatehouse.proto.v1.Port.newBuilder()
        .setName(port.name().toString())
        .setDisplayName(port.displayName())
        .setDpu(port.dpu().toString())
        .setFunction(port.function())
        .setMacAddress(port.mac().toString())
        .addAllIpAddresses(port.addresses().stream().map(Objects::toString).toList())
        .setAdminState(
            port.enabled()
                ? PortAdminState.PORT_ADMIN_STATE_ENABLED
                : PortAdminState.PORT_ADMIN_STATE_DISABLED)
        .addAllSecurityGroups(PortSecurityWire.groups(port.security()))
        .addAllAllowedAddressPairs(PortSecurityWire.pairs(port.security()))
        .setRateLimits(PortSecurityWire.limits(port.limits()))
        .setUid(port.uid())
        .setCreateTime(TimeWire.toProto(port.createdAt()))
        .setUpdateTime(TimeWire.toProto(port.updatedAt()))
        .build();
  }

  /**
   * Reads a whole port, as stored.
   *
   * @throws InvalidValueException with the path of the field below the port
   */
  public static Port fromProto(io.gatehouse.proto.v1.Port message) {
    return new Port(
        read("name", message.getName(), PortName::parse),
        message.getDisplayName(),
        read("dpu", message.getDpu(), DpuName::parse),
        message.getFunction(),
        read("mac_address", message.getMacAddress(), MacAddress::parse),
        addresses(message.getIpAddressesList()),
        enabled(message.getAdminState()),
        PortSecurityWire.read(
            message.getSecurityGroupsList(), message.getAllowedAddressPairsList()),
        readWithin("rate_limits", message.getRateLimits(), PortSecurityWire::readLimits),
        message.getUid(),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  /** The addresses in {@code ip_addresses}. */
  public static List<IpAddress> addresses(List<String> texts) {
    return readAll("ip_addresses", texts, Port.MAX_ADDRESSES, IpAddress::parse);
  }

  /** Whether the state is ENABLED; not set means it is. */
  public static boolean enabled(PortAdminState state) {
    return switch (state) {
      case PORT_ADMIN_STATE_UNSPECIFIED, PORT_ADMIN_STATE_ENABLED -> true;
      case PORT_ADMIN_STATE_DISABLED -> false;
      case UNRECOGNIZED ->
          throw new InvalidValueException("admin_state", state, "is not a known state");
    };
  }
}
