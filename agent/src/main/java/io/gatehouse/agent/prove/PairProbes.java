package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a host of this DPU may send to one other port, and what it may try. */
final class PairProbes {
  private final Ground ground;
  private final Routes routes;

  PairProbes(Ground ground) {
    this.ground = ground;
    this.routes = new Routes(ground);
  }

  /** The receiver of the probes. */
  private record Aim(Place place, NetworkName network, MacAddress mac, List<IpAddress> addresses) {}

  Stream<Probe> between(LocalPortPolicy from, LocalPortPolicy to) {
    return between(
        from, new Aim(new Place.Local(to.name()), to.name().network(), to.mac(), to.addresses()));
  }

  Stream<Probe> between(LocalPortPolicy from, RemotePortPolicy to) {
    return between(
        from, new Aim(ground.tunnelOf(to), to.name().network(), to.mac(), to.addresses()));
  }

  private Stream<Probe> between(LocalPortPolicy from, Aim to) {
    List<Probe> probes = new ArrayList<>();
    Place sender = new Place.Local(from.name());
    Packet at = Packet.from(ground.number(from.name()));
    for (IpAddress own : from.addresses()) {
      for (IpAddress other : to.addresses()) {
        if (own.family() == other.family()) {
          Packet frame = Packets.frame(at, from.mac(), to.mac());
          Packet plain = Packets.udp(frame, own, other);
          int carried = ground.largestFrame(from.name().network());
          int largest = ground.largestFrame(carried, to.place(), own.isV6());
          probes.add(new Probe(PacketClass.OWN, sender, to.place(), plain.ofLength(largest)));
          probes.add(
              new Probe(PacketClass.TOO_LARGE, sender, to.place(), plain.ofLength(largest + 1)));
          Stream.concat(
                  tries(from, own, other).apply(frame).stream(),
                  routed(from, to, frame, own, other).stream())
              .forEach(one -> probes.add(new Probe(one.kind(), sender, to.place(), one.packet())));
        }
      }
    }
    return probes.stream();
  }

  /** By way of the router: to peers, and to all others in vain. */
  private List<Try> routed(
      LocalPortPolicy from, Aim to, Packet frame, IpAddress own, IpAddress other) {
    Packet packet = Packets.udp(frame.with(Field.ETH_DST, RouterIdentity.MAC), own, other);
    Try plain = new Try(PacketClass.ROUTED, packet);
    if (!routes.arePeers(from.name().network(), to.network())) {
      return List.of(plain);
    }
    List<Try> tries = new ArrayList<>(List.of(plain));
    Packet all = Packets.udp(frame.with(Field.ETH_DST, MacAddress.BROADCAST), own, other);
    tries.add(new Try(PacketClass.BROADCAST, all));
    int carried = ground.largestRoutedFrame(from.name().network(), to.network());
    int largest = ground.largestFrame(carried, to.place(), own.isV6());
    tries.add(new Try(PacketClass.ROUTED, packet.ofLength(largest)));
    tries.add(new Try(PacketClass.TOO_LARGE, packet.ofLength(largest + 1)));
    tries.add(new Try(PacketClass.ROUTED, packet.with(Field.NW_TTL, 1)));
    tries.add(new Try(PacketClass.ROUTED, tagged(packet)));
    if (own.isV6()) {
      Packet atRouter = frame.with(Field.ETH_DST, RouterIdentity.MAC);
      tries.add(new Try(PacketClass.ROUTED, advertisement(atRouter, own, own, other)));
      // A listener's report.
      tries.add(new Try(PacketClass.ROUTED, Packets.icmp6(atRouter, own, other, 143)));
      tries.add(new Try(PacketClass.ROUTED, Packets.udp(atRouter, from.mac().linkLocal(), other)));
    }
    return tries;
  }

  private record Try(PacketClass kind, Packet packet) {}

  private interface Tries {
    List<Try> apply(Packet frame);
  }

  private static Tries tries(LocalPortPolicy from, IpAddress own, IpAddress other) {
    return own.isV4() ? frame -> v4(frame, own, other) : frame -> v6(frame, from, own, other);
  }

  private static List<Try> v4(Packet frame, IpAddress own, IpAddress other) {
    Packet broadcast = frame.with(Field.ETH_DST, MacAddress.BROADCAST);
    Packet fragment = Packets.udp(frame, own, other).with(Field.IP_FRAG, 1);
    return List.of(
        new Try(PacketClass.SPOOFED_IP, Packets.udp(frame, other, other)),
        new Try(PacketClass.ARP_REQUEST, Packets.arp(broadcast, 1, own, other)),
        new Try(PacketClass.ARP_REPLY, Packets.arp(frame, 2, own, other)),
        new Try(PacketClass.SPOOFED_ARP, Packets.arp(frame, 2, other, other)),
        new Try(PacketClass.DHCP_SERVER, Packets.udp(frame, own, other, 67, 68)),
        new Try(PacketClass.ODD_HEADER, fragment),
        new Try(PacketClass.ODD_HEADER, tagged(Packets.udp(frame, own, other))));
  }

  private static List<Try> v6(Packet frame, LocalPortPolicy from, IpAddress own, IpAddress other) {
    Packet asks = frame.with(Field.ETH_DST, solicited(other));
    Packet without = Packets.discovery(asks, Headers.SOLICITATION, own, other);
    Packet telling = advertisement(frame, own, own, other);
    return List.of(
        new Try(PacketClass.SPOOFED_IP, Packets.udp(frame, other, other)),
        new Try(PacketClass.ND, without),
        new Try(PacketClass.ND, without.with(Field.ND_SLL, MacAddress.ZERO)),
        new Try(PacketClass.ND, telling),
        new Try(PacketClass.ND, telling.with(Field.ND_TLL, MacAddress.ZERO)),
        new Try(PacketClass.SPOOFED_ND, advertisement(frame, own, other, other)),
        new Try(PacketClass.SPOOFED_ND, telling.with(Field.ND_TLL, from.mac().bits() ^ 1)),
        new Try(PacketClass.ROUTER, Packets.icmp6(frame, own, other, 134)),
        new Try(PacketClass.ROUTER, Packets.icmp6(frame, own, other, 137)),
        new Try(PacketClass.DHCP_SERVER, Packets.udp(frame, own, other, 547, 546)),
        new Try(PacketClass.ODD_HEADER, tagged(Packets.udp(frame, own, other))));
  }

  /** To one host: "this address is mine". */
  private static Packet advertisement(
      Packet frame, IpAddress from, IpAddress target, IpAddress to) {
    return Packets.discovery(frame, Headers.ADVERTISEMENT, from, target)
        .with(Field.IPV6_DST, Field.IPV6_DST, to);
  }

  private static Packet tagged(Packet packet) {
    return packet.with(Field.VLAN_VID, 0x1001).with(Field.VLAN_PCP, 0);
  }

  /** The Ethernet group of an IPv6 group (RFC 2464 §7). */
  private static MacAddress solicited(IpAddress address) {
    return new MacAddress(0x3333_0000_0000L | (address.solicitedNode().low() & 0xffff_ffffL));
  }
}
