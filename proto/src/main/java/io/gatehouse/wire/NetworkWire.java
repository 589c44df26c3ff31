package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readWithin;
import static io.gatehouse.wire.FieldReader.uint32;

import io.gatehouse.model.Network;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Networks as messages, whole, without etag. */
public final class NetworkWire {
  private NetworkWire() {}

  public static io.gatehouse.proto.v1.Network toProto(Network network) {
    var message =
        io.gatehouse.proto.v1.Network.newBuilder()
            .setName(network.name().toString())
            .setDisplayName(network.displayName())
            .setVni(network.vni().value())
            .setMtuBytes(network.requestedMtuBytes())
            .setEffectiveMtuBytes(network.effectiveMtuBytes())
            .setHostConfiguration(HostConfigurationWire.toProto(network.hosts()))
            .setCreateTime(TimeWire.toProto(network.createdAt()))
            .setUpdateTime(TimeWire.toProto(network.updatedAt()));
    if (network.isMtuChanging()) {
      message.setReceiveMtuBytes(network.receiveMtuBytes());
    }
    PathLimitWire.toProto(network).ifPresent(message::setPathLimit);
    for (Cidr cidr : network.cidrs()) {
      if (cidr.address().isV4()) {
        message.setIpv4Cidr(cidr.toString());
      } else {
        message.setIpv6Cidr(cidr.toString());
      }
    }
    return message.build();
  }

  /**
   * Reads a whole network, as stored.
   *
   * @throws InvalidValueException with the path of the field below the network
   */
  public static Network fromProto(io.gatehouse.proto.v1.Network message) {
    List<Cidr> cidrs =
        Stream.of(ipv4Cidr(message.getIpv4Cidr()), ipv6Cidr(message.getIpv6Cidr()))
            .flatMap(List::stream)
            .toList();
    int effective = uint32("effective_mtu_bytes", message.getEffectiveMtuBytes());
    int receive = uint32("receive_mtu_bytes", message.getReceiveMtuBytes());
    return new Network(
        read("name", message.getName(), NetworkName::parse),
        message.getDisplayName(),
        vni(message.getVni()),
        cidrs,
        uint32("mtu_bytes", message.getMtuBytes()),
        effective,
        receive == 0 ? effective : receive,
        message.hasPathLimit()
            ? Optional.of(
                readWithin("path_limit", message.getPathLimit(), PathLimitWire::fromProto))
            : Optional.empty(),
        readWithin(
            "host_configuration", message.getHostConfiguration(), HostConfigurationWire::fromProto),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  /** The VNI that the 32 bits stand for. */
  public static Vni vni(int bits) {
    return new Vni(uint32("vni", bits));
  }

  /** The prefix in {@code ipv4_cidr}, or an empty list. */
  public static List<Cidr> ipv4Cidr(String text) {
    return cidr("ipv4_cidr", text, IpAddress.Family.V4);
  }

  /** The prefix in {@code ipv6_cidr}, or an empty list. */
  public static List<Cidr> ipv6Cidr(String text) {
    return cidr("ipv6_cidr", text, IpAddress.Family.V6);
  }

  private static List<Cidr> cidr(String field, String text, IpAddress.Family family) {
    if (text.isEmpty()) {
      return List.of();
    }
    Cidr cidr = read(field, text, Cidr::parse);
    if (cidr.address().family() != family) {
      throw new InvalidValueException(
          field, text, family == IpAddress.Family.V4 ? "is not IPv4" : "is not IPv6");
    }
    return List.of(cidr);
  }
}
