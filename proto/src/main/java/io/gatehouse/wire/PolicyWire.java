package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readAll;
import static io.gatehouse.wire.FieldReader.readWithin;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Policy resources as messages of the Sync stream. */
public final class PolicyWire {
  /** Addresses of one port. */
  private static final int MAX_ADDRESSES = 16;

  private static final int MAX_FUNCTION_LENGTH = 64;
  private static final int MAX_UID_LENGTH = 64;

  private PolicyWire() {}

  /** The message without its version, which {@link PolicyVersions} computes from the body. */
  public static io.gatehouse.proto.v1.PolicyResource toProto(PolicyResource resource) {
    var message = io.gatehouse.proto.v1.PolicyResource.newBuilder().setName(resource.key());
    if (resource instanceof NetworkPolicy network) {
      message.setNetwork(network(network));
    } else if (resource instanceof LocalPortPolicy port) {
      message.setLocalPort(localPort(port));
    } else if (resource instanceof RemotePortPolicy port) {
      message.setRemotePort(remotePort(port));
    } else if (resource instanceof SecurityGroupPolicy group) {
      message.setSecurityGroup(
          io.gatehouse.proto.v1.SecurityGroupPolicy.newBuilder()
              .addAllRules(SecurityGroupWire.rules(group.rules())));
    } else if (resource instanceof PeeringPolicy peering) {
      message.setPeering(peering(peering));
    } else if (resource instanceof VtepPolicy vtep) {
      message.setVtep(
          io.gatehouse.proto.v1.VtepPolicy.newBuilder().setAddress(vtep.address().toString()));
    }
    return message.build();
  }

  /**
   * Reads one resource.
   *
   * @throws InvalidValueException with the path below the resource, such as {@code network.vni}
   */
  public static PolicyResource fromProto(io.gatehouse.proto.v1.PolicyResource message) {
    return switch (message.getBodyCase()) {
      case NETWORK -> network(message.getName(), message.getNetwork());
      case LOCAL_PORT -> localPort(message.getName(), message.getLocalPort());
      case REMOTE_PORT -> remotePort(message.getName(), message.getRemotePort());
      case VTEP ->
          new VtepPolicy(
              read("name", message.getName(), DpuName::parse),
              read("vtep.address", message.getVtep().getAddress(), IpAddress::parse));
      case SECURITY_GROUP ->
          new SecurityGroupPolicy(
              read("name", message.getName(), SecurityGroupName::parse),
              readWithin(
                  "security_group",
                  message.getSecurityGroup().getRulesList(),
                  SecurityGroupWire::readRules));
      case PEERING -> peering(message.getName(), message.getPeering());
      case BODY_NOT_SET ->
          throw new InvalidValueException("body", message.getName(), "has no body known here");
    };
  }

  private static io.gatehouse.proto.v1.NetworkPolicy network(NetworkPolicy network) {
    var message =
        io.gatehouse.proto.v1.NetworkPolicy.newBuilder()
            .setVni(network.vni().value())
            .setMtuBytes(network.mtuBytes())
            .setHostConfiguration(HostConfigurationWire.toProto(network.hosts()));
    if (network.receiveMtuBytes() != network.mtuBytes()) {
      message.setReceiveMtuBytes(network.receiveMtuBytes());
    }
    if (network.probeMtuBytes() != network.mtuBytes()) {
      message.setProbeMtuBytes(network.probeMtuBytes());
    }
    write(network.cidrs(), message::setIpv4Cidr, message::setIpv6Cidr);
    return message.build();
  }

  private static NetworkPolicy network(String name, io.gatehouse.proto.v1.NetworkPolicy message) {
    int mtu = message.getMtuBytes();
    int receive = message.getReceiveMtuBytes();
    int probe = message.getProbeMtuBytes();
    return new NetworkPolicy(
        read("name", name, NetworkName::parse),
        read("network.vni", message.getVni(), Vni::new),
        cidrs(
            optionalCidr("network.ipv4_cidr", message.getIpv4Cidr()),
            optionalCidr("network.ipv6_cidr", message.getIpv6Cidr())),
        mtu,
        receive == 0 ? mtu : receive,
        probe == 0 ? mtu : probe,
        readWithin(
            "network.host_configuration",
            message.getHostConfiguration(),
            HostConfigurationWire::fromProto));
  }

  private static io.gatehouse.proto.v1.PeeringPolicy peering(PeeringPolicy peering) {
    var message =
        io.gatehouse.proto.v1.PeeringPolicy.newBuilder()
            .setPeerNetwork(peering.peer().toString())
            .setPeerVni(peering.peerVni().value())
            .setPeerMtuBytes(peering.peerMtuBytes());
    write(peering.peerCidrs(), message::setPeerIpv4Cidr, message::setPeerIpv6Cidr);
    return message.build();
  }

  private static PeeringPolicy peering(String name, io.gatehouse.proto.v1.PeeringPolicy message) {
    return new PeeringPolicy(
        read("name", name, PeeringName::parse),
        read("peering.peer_network", message.getPeerNetwork(), NetworkName::parse),
        read("peering.peer_vni", message.getPeerVni(), Vni::new),
        cidrs(
            optionalCidr("peering.peer_ipv4_cidr", message.getPeerIpv4Cidr()),
            optionalCidr("peering.peer_ipv6_cidr", message.getPeerIpv6Cidr())),
        message.getPeerMtuBytes());
  }

  /** Each prefix into the field of its family. */
  private static void write(List<Cidr> cidrs, Consumer<String> v4, Consumer<String> v6) {
    cidrs.forEach(cidr -> (cidr.address().isV4() ? v4 : v6).accept(cidr.toString()));
  }

  private static List<Cidr> cidrs(List<Cidr> v4, List<Cidr> v6) {
    return Stream.of(v4, v6).flatMap(List::stream).toList();
  }

  private static List<Cidr> optionalCidr(String field, String text) {
    return text.isEmpty() ? List.of() : List.of(read(field, text, Cidr::parse));
  }

  private static io.gatehouse.proto.v1.LocalPortPolicy localPort(LocalPortPolicy port) {
    var message =
        io.gatehouse.proto.v1.LocalPortPolicy.newBuilder()
            .setUid(port.uid())
            .setFunction(port.function())
            .setMacAddress(port.mac().toString())
            .addAllIpAddresses(port.addresses().stream().map(Objects::toString).toList())
            .setEnabled(port.enabled())
            .addAllSecurityGroups(PortSecurityWire.groups(port.security()))
            .addAllAllowedAddressPairs(PortSecurityWire.pairs(port.security()))
            .setRateLimits(PortSecurityWire.limits(port.limits()));
    port.quarantine().map(PortSecurityWire::quarantine).ifPresent(message::setQuarantine);
    return message.build();
  }

  private static LocalPortPolicy localPort(
      String name, io.gatehouse.proto.v1.LocalPortPolicy message) {
    return new LocalPortPolicy(
        read("name", name, PortName::parse),
        read("local_port.uid", message.getUid(), text -> bounded(text, MAX_UID_LENGTH)),
        read("local_port.function", message.getFunction(), t -> bounded(t, MAX_FUNCTION_LENGTH)),
        read("local_port.mac_address", message.getMacAddress(), MacAddress::parse),
        readAll(
            "local_port.ip_addresses",
            message.getIpAddressesList(),
            MAX_ADDRESSES,
            IpAddress::parse),
        message.getEnabled(),
        readWithin(
            "local_port",
            message,
            m -> PortSecurityWire.read(m.getSecurityGroupsList(), m.getAllowedAddressPairsList())),
        readWithin("local_port.rate_limits", message.getRateLimits(), PortSecurityWire::readLimits),
        message.hasQuarantine()
            ? Optional.of(
                readWithin(
                    "local_port.quarantine",
                    message.getQuarantine(),
                    PortSecurityWire::readQuarantine))
            : Optional.empty());
  }

  private static io.gatehouse.proto.v1.RemotePortPolicy remotePort(RemotePortPolicy port) {
    return io.gatehouse.proto.v1.RemotePortPolicy.newBuilder()
        .setUid(port.uid())
        .setMacAddress(port.mac().toString())
        .addAllIpAddresses(port.addresses().stream().map(Objects::toString).toList())
        .setDpu(port.dpu().toString())
        .addAllSecurityGroups(PortSecurityWire.groups(port.security()))
        .addAllAllowedAddressPairs(PortSecurityWire.pairs(port.security()))
        .build();
  }

  private static RemotePortPolicy remotePort(
      String name, io.gatehouse.proto.v1.RemotePortPolicy message) {
    return new RemotePortPolicy(
        read("name", name, PortName::parse),
        read("remote_port.uid", message.getUid(), text -> bounded(text, MAX_UID_LENGTH)),
        read("remote_port.mac_address", message.getMacAddress(), MacAddress::parse),
        readAll(
            "remote_port.ip_addresses",
            message.getIpAddressesList(),
            MAX_ADDRESSES,
            IpAddress::parse),
        read("remote_port.dpu", message.getDpu(), DpuName::parse),
        readWithin(
            "remote_port",
            message,
            m -> PortSecurityWire.read(m.getSecurityGroupsList(), m.getAllowedAddressPairsList())));
  }

  private static String bounded(String text, int limit) {
    if (text.isEmpty() || text.length() > limit) {
      throw new InvalidValueException("text", text, "is not 1 to " + limit + " characters long");
    }
    return text;
  }
}
