package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readAllWithin;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.Traffic;
import io.gatehouse.proto.v1.RuleDirection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Security groups and their rules as messages, whole, without etag and count of ports. */
public final class SecurityGroupWire {
  private static final int MAX_NUMBER_LENGTH = 3;

  private SecurityGroupWire() {}

  public static io.gatehouse.proto.v1.SecurityGroup toProto(SecurityGroup group) {
    return io.gatehouse.proto.v1.SecurityGroup.newBuilder()
        .setName(group.name().toString())
        .setDisplayName(group.displayName())
        .addAllRules(rules(group.rules()))
        .setCreateTime(TimeWire.toProto(group.createdAt()))
        .setUpdateTime(TimeWire.toProto(group.updatedAt()))
        .build();
  }

  /**
   * Reads a whole group, as stored.
   *
   * @throws InvalidValueException with the path of the field below the group
   */
  public static SecurityGroup fromProto(io.gatehouse.proto.v1.SecurityGroup message) {
    return new SecurityGroup(
        read("name", message.getName(), SecurityGroupName::parse),
        message.getDisplayName(),
        readRules(message.getRulesList()),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  /** Rules as messages. */
  public static List<io.gatehouse.proto.v1.SecurityRule> rules(List<SecurityRule> rules) {
    return rules.stream().map(SecurityGroupWire::rule).toList();
  }

  /** The rules in {@code rules}. */
  public static List<SecurityRule> readRules(List<io.gatehouse.proto.v1.SecurityRule> messages) {
    return readAllWithin("rules", messages, SecurityGroup.MAX_RULES, SecurityGroupWire::readRule);
  }

  private static io.gatehouse.proto.v1.SecurityRule rule(SecurityRule rule) {
    var message =
        io.gatehouse.proto.v1.SecurityRule.newBuilder()
            .setDirection(
                rule.direction() == SecurityRule.Direction.INGRESS
                    ? RuleDirection.RULE_DIRECTION_INGRESS
                    : RuleDirection.RULE_DIRECTION_EGRESS);
    if (rule.traffic() instanceof Traffic.Ports ports) {
      message.setProtocol(ports.transport().name().toLowerCase(Locale.ROOT));
      if (!ports.isEveryPort()) {
        message.setPortMin(ports.firstPort()).setPortMax(ports.lastPort());
      }
    } else if (rule.traffic() instanceof Traffic.Icmp icmp) {
      message.setProtocol(icmp.family() == IpAddress.Family.V4 ? "icmp" : "icmpv6");
      icmp.type().ifPresent(message::setIcmpType);
      icmp.code().ifPresent(message::setIcmpCode);
    } else if (rule.traffic() instanceof Traffic.Protocol protocol) {
      message.setProtocol(Integer.toString(protocol.number()));
    }
    if (rule.remote() instanceof Remote.Prefix prefix) {
      message.setRemoteCidr(prefix.cidr().toString());
    } else if (rule.remote() instanceof Remote.Group group) {
      message.setRemoteGroup(group.group().toString());
    }
    return message.build();
  }

  private static SecurityRule readRule(io.gatehouse.proto.v1.SecurityRule message) {
    return new SecurityRule(direction(message.getDirection()), traffic(message), remote(message));
  }

  private static SecurityRule.Direction direction(RuleDirection direction) {
    return switch (direction) {
      case RULE_DIRECTION_INGRESS -> SecurityRule.Direction.INGRESS;
      case RULE_DIRECTION_EGRESS -> SecurityRule.Direction.EGRESS;
      case RULE_DIRECTION_UNSPECIFIED ->
          throw new InvalidValueException("direction", "", "is not set");
      case UNRECOGNIZED ->
          throw new InvalidValueException("direction", direction, "is neither INGRESS nor EGRESS");
    };
  }

  private static Traffic traffic(io.gatehouse.proto.v1.SecurityRule message) {
    String protocol = message.getProtocol();
    Traffic traffic =
        switch (protocol) {
          case "" -> new Traffic.Any();
          case "tcp" -> ports(Traffic.Transport.TCP, message);
          case "udp" -> ports(Traffic.Transport.UDP, message);
          case "sctp" -> ports(Traffic.Transport.SCTP, message);
          case "icmp" -> icmp(IpAddress.Family.V4, message);
          case "icmpv6" -> icmp(IpAddress.Family.V6, message);
          default -> new Traffic.Protocol(number(protocol));
        };
    boolean hasPorts = message.getPortMin() != 0 || message.getPortMax() != 0;
    if (hasPorts && !(traffic instanceof Traffic.Ports)) {
      throw new InvalidValueException(
          "port_min", message.getPortMin(), "is given for a protocol without ports");
    }
    boolean hasIcmp = message.hasIcmpType() || message.hasIcmpCode();
    if (hasIcmp && !(traffic instanceof Traffic.Icmp)) {
      throw new InvalidValueException(
          "icmp_type", message.getIcmpType(), "is given for a protocol that is not ICMP");
    }
    return traffic;
  }

  private static Traffic ports(
      Traffic.Transport transport, io.gatehouse.proto.v1.SecurityRule message) {
    if (message.getPortMin() == 0 && message.getPortMax() == 0) {
      return new Traffic.Ports(transport, 1, Traffic.Ports.MAX_PORT);
    }
    int last = message.getPortMax() == 0 ? message.getPortMin() : message.getPortMax();
    return new Traffic.Ports(transport, message.getPortMin(), last);
  }

  private static Traffic icmp(IpAddress.Family family, io.gatehouse.proto.v1.SecurityRule message) {
    return new Traffic.Icmp(
        family,
        message.hasIcmpType() ? OptionalInt.of(message.getIcmpType()) : OptionalInt.empty(),
        message.hasIcmpCode() ? OptionalInt.of(message.getIcmpCode()) : OptionalInt.empty());
  }

  private static int number(String text) {
    boolean digits =
        text.length() <= MAX_NUMBER_LENGTH && text.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean plain = digits && (text.length() == 1 || !text.startsWith("0"));
    if (!plain) {
      throw new InvalidValueException(
          "protocol", text, "is not tcp, udp, sctp, icmp, icmpv6 or a number 0 to 255");
    }
    return Integer.parseInt(text);
  }

  private static Remote remote(io.gatehouse.proto.v1.SecurityRule message) {
    return switch (message.getRemoteCase()) {
      case REMOTE_CIDR ->
          new Remote.Prefix(read("remote_cidr", message.getRemoteCidr(), Cidr::parse));
      case REMOTE_GROUP ->
          new Remote.Group(
              read("remote_group", message.getRemoteGroup(), SecurityGroupName::parse));
      case REMOTE_NOT_SET -> new Remote.Anywhere();
    };
  }
}
