package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Packets at and beside the edges of the rules between two ports of one network, or of two that are
 * peers.
 */
final class RuleProbes {
  private static final int MAX_PORT = 65_535;

  private final Ground ground;
  private final GroupRules rules;
  private final Routes routes;

  RuleProbes(Ground ground) {
    this.ground = ground;
    this.rules = new GroupRules(ground.policy());
    this.routes = new Routes(ground);
  }

  private record Aim(
      Place place, MacAddress mac, List<IpAddress> addresses, List<SecurityRule> ingress) {}

  Stream<Probe> between(LocalPortPolicy from, LocalPortPolicy to) {
    List<SecurityRule> ingress = rules.of(to.security(), Direction.INGRESS);
    Place place = new Place.Local(to.name());
    return nextHop(from, to.name(), to.mac()).stream()
        .flatMap(mac -> between(from, new Aim(place, mac, to.addresses(), ingress)));
  }

  Stream<Probe> between(LocalPortPolicy from, RemotePortPolicy to) {
    return nextHop(from, to.name(), to.mac()).stream()
        .flatMap(
            mac -> between(from, new Aim(ground.tunnelOf(to), mac, to.addresses(), List.of())));
  }

  /** Where a host sends what is for another; empty if the rules are not asked. */
  private Optional<MacAddress> nextHop(LocalPortPolicy from, PortName to, MacAddress mac) {
    if (from.name().network().equals(to.network())) {
      return Optional.of(mac);
    }
    return routes.arePeers(from.name().network(), to.network())
        ? Optional.of(RouterIdentity.MAC)
        : Optional.empty();
  }

  private Stream<Probe> between(LocalPortPolicy from, Aim to) {
    PortSecurity security = from.security();
    List<Probe> probes = new ArrayList<>();
    Packet frame = Packets.frame(Packet.from(ground.number(from.name())), from.mac(), to.mac());
    for (IpAddress own : from.addresses()) {
      for (IpAddress other : to.addresses()) {
        if (own.family() != other.family()) {
          continue;
        }
        Stream<Packet> egress =
            rules.of(security, Direction.EGRESS).stream()
                .flatMap(
                    rule ->
                        destinations(rule, other)
                            .flatMap(address -> edges(frame, own, address, rule.traffic())));
        Stream<Packet> ingress =
            to.ingress().stream().flatMap(rule -> edges(frame, own, other, rule.traffic()));
        Stream.concat(egress, ingress)
            .distinct()
            .map(p -> new Probe(PacketClass.RULE, new Place.Local(from.name()), to.place(), p))
            .forEach(probes::add);
      }
    }
    return probes.stream();
  }

  /** The receiver's address, and the first and the last one that the rule names. */
  private static Stream<IpAddress> destinations(SecurityRule rule, IpAddress other) {
    if (rule.remote() instanceof Remote.Prefix prefix
        && prefix.cidr().address().family() == other.family()) {
      return Stream.of(other, prefix.cidr().address(), prefix.cidr().last());
    }
    return Stream.of(other);
  }

  private static Stream<Packet> edges(Packet frame, IpAddress from, IpAddress to, Traffic traffic) {
    if (traffic instanceof Traffic.Ports ports) {
      return IntStream.of(
              ports.firstPort() - 1, ports.firstPort(), ports.lastPort(), ports.lastPort() + 1)
          .filter(port -> port >= 0 && port <= MAX_PORT)
          .mapToObj(
              port ->
                  Packets.ip(frame, from, to, ports.transport().protocol())
                      .with(GroupRules.destination(ports.transport()), port));
    }
    if (traffic instanceof Traffic.Icmp icmp) {
      return icmp.family() == from.family() ? icmp(frame, from, to, icmp) : Stream.empty();
    }
    if (traffic instanceof Traffic.Protocol protocol) {
      return Stream.of(Packets.ip(frame, from, to, protocol.number()));
    }
    return Stream.of(Packets.udp(frame, from, to));
  }

  /** Echo where the rule names no type; never a message that neighbour discovery owns. */
  private static Stream<Packet> icmp(
      Packet frame, IpAddress from, IpAddress to, Traffic.Icmp rule) {
    boolean v4 = from.isV4();
    Field type = v4 ? Field.ICMP_TYPE : Field.ICMPV6_TYPE;
    Field code = v4 ? Field.ICMP_CODE : Field.ICMPV6_CODE;
    int first = rule.type().orElse(v4 ? 8 : 128);
    return IntStream.of(first, first + 1)
        .filter(number -> number <= 255 && (v4 || number < 133 || number > 137))
        .boxed()
        .flatMap(
            number ->
                IntStream.of(rule.code().orElse(0), rule.code().orElse(0) + 1)
                    .filter(c -> c <= 255)
                    .mapToObj(
                        c ->
                            Packets.ip(frame, from, to, v4 ? Headers.ICMP : Headers.ICMPV6)
                                .with(type, number)
                                .with(code, c)));
  }
}
