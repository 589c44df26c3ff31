package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.readAll;
import static io.gatehouse.wire.FieldReader.readAllWithin;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.RateLimits;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What bounds a port, as messages. */
public final class PortSecurityWire {
  private PortSecurityWire() {}

  /** Names of groups as texts. */
  public static List<String> groups(PortSecurity security) {
    return security.groups().stream().map(Objects::toString).toList();
  }

  /** The groups in {@code security_groups}. */
  public static List<SecurityGroupName> readGroups(List<String> texts) {
    return readAll("security_groups", texts, PortSecurity.MAX_GROUPS, SecurityGroupName::parse);
  }

  /** Pairs as messages. */
  public static List<io.gatehouse.proto.v1.AddressPair> pairs(PortSecurity security) {
    return security.allowedPairs().stream().map(PortSecurityWire::pair).toList();
  }

  /** The pairs in {@code allowed_address_pairs}. */
  public static List<AddressPair> readPairs(List<io.gatehouse.proto.v1.AddressPair> messages) {
    return readAllWithin(
        "allowed_address_pairs", messages, PortSecurity.MAX_PAIRS, PortSecurityWire::readPair);
  }

  /** Both lists. */
  public static PortSecurity read(
      List<String> groups, List<io.gatehouse.proto.v1.AddressPair> pairs) {
    return new PortSecurity(readGroups(groups), readPairs(pairs));
  }

  /** Limits as a message. */
  public static io.gatehouse.proto.v1.RateLimits limits(RateLimits limits) {
    return io.gatehouse.proto.v1.RateLimits.newBuilder()
        .setEgress(rate(limits.egress()))
        .setIngress(rate(limits.ingress()))
        .setConnectionsPerSecond(limits.connectionsPerSecond())
        .setConnections(limits.connections())
        .build();
  }

  /** The limits in {@code rate_limits}. */
  public static RateLimits readLimits(io.gatehouse.proto.v1.RateLimits message) {
    return new RateLimits(
        FieldReader.readWithin("egress", message.getEgress(), PortSecurityWire::readRate),
        FieldReader.readWithin("ingress", message.getIngress(), PortSecurityWire::readRate),
        message.getConnectionsPerSecond(),
        message.getConnections());
  }

  /** A quarantine as a message. */
  public static io.gatehouse.proto.v1.QuarantinePolicy quarantine(Quarantine quarantine) {
    return io.gatehouse.proto.v1.QuarantinePolicy.newBuilder()
        .setReason(quarantine.reason())
        .addAllAllowedCidrs(quarantine.allowed().stream().map(Objects::toString).toList())
        .build();
  }

  /**
   * Reads a quarantine.
   *
   * @throws InvalidValueException with the path below the message
   */
  public static Quarantine readQuarantine(io.gatehouse.proto.v1.QuarantinePolicy message) {
    return new Quarantine(
        message.getReason(),
        readAll(
            "allowed_cidrs", message.getAllowedCidrsList(), Quarantine.MAX_ALLOWED, Cidr::parse));
  }

  private static io.gatehouse.proto.v1.AddressPair pair(AddressPair pair) {
    return io.gatehouse.proto.v1.AddressPair.newBuilder()
        .setIpCidr(pair.addresses().toString())
        .setMacAddress(pair.mac().map(MacAddress::toString).orElse(""))
        .build();
  }

  private static AddressPair readPair(io.gatehouse.proto.v1.AddressPair message) {
    String mac = message.getMacAddress();
    return new AddressPair(
        FieldReader.read("ip_cidr", message.getIpCidr(), Cidr::parse),
        mac.isEmpty()
            ? Optional.empty()
            : Optional.of(FieldReader.read("mac_address", mac, MacAddress::parse)));
  }

  private static io.gatehouse.proto.v1.RateLimit rate(RateLimits.Rate rate) {
    return io.gatehouse.proto.v1.RateLimit.newBuilder()
        .setMegabitsPerSecond(rate.megabitsPerSecond())
        .setBurstKilobits(rate.burstKilobits())
        .setPacketsPerSecond(rate.packetsPerSecond())
        .setBurstPackets(rate.burstPackets())
        .build();
  }

  private static RateLimits.Rate readRate(io.gatehouse.proto.v1.RateLimit message) {
    return new RateLimits.Rate(
        message.getMegabitsPerSecond(),
        message.getBurstKilobits(),
        message.getPacketsPerSecond(),
        message.getBurstPackets());
  }
}
