package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.ProbeIdentity;
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
import java.util.Optional;
import java.util.stream.Stream;

/** What may come out of the tunnel from the DPU of one port elsewhere, and what must not. */
final class TunnelProbes {
  /** Documentation addresses (RFC 5737, RFC 3849): no VTEP has them. */
  private static final IpAddress STRANGER_V4 = IpAddress.parse("203.0.113.254");

  private static final IpAddress STRANGER_V6 = IpAddress.parse("2001:db8:ffff::fffe");

  private final Ground ground;
  private final RemotePortPolicy from;
  private final IpAddress vtep;
  private final Routes routes;

  TunnelProbes(Ground ground, RemotePortPolicy from) {
    this.ground = ground;
    this.from = from;
    this.vtep = ground.vtep(from);
    this.routes = new Routes(ground);
  }

  Stream<Probe> to(LocalPortPolicy to) {
    List<Probe> probes = new ArrayList<>();
    Place aim = new Place.Local(to.name());
    NetworkName network = to.name().network();
    IpAddress stranger = vtep.isV4() ? STRANGER_V4 : STRANGER_V6;
    boolean same = network.equals(from.name().network());
    for (IpAddress source : from.addresses()) {
      for (IpAddress other : to.addresses()) {
        if (source.family() == other.family()) {
          Place.Tunnel real = ground.tunnelOf(from);
          probes.add(probe(PacketClass.TUNNEL, real, aim, packet(to.mac(), source, other)));
          Place.Tunnel strange = new Place.Tunnel(stranger, ground.vni(network), Optional.empty());
          probes.add(
              probe(PacketClass.UNKNOWN_VTEP, strange, aim, packet(to.mac(), source, other)));
          if (same) {
            probes.addAll(tests(real, strange, aim, packet(ProbeIdentity.MAC, source, other)));
          }
          if (!same && !hasPortOf(network)) {
            Place.Tunnel foreign = new Place.Tunnel(vtep, ground.vni(network), Optional.empty());
            probes.add(
                probe(PacketClass.FOREIGN_VNI, foreign, aim, packet(to.mac(), source, other)));
          }
          if (!same) {
            probes.addAll(routed(to, source, other));
          }
          if (same) {
            Packet all = packet(MacAddress.BROADCAST, source, other);
            probes.add(probe(PacketClass.TUNNEL, real, aim, all));
          }
        }
      }
    }
    return probes.stream();
  }

  /** An agent's test of the tunnel; half of one, and one of a stranger, are nobody's. */
  private static List<Probe> tests(
      Place.Tunnel real, Place.Tunnel strange, Place aim, Packet toAgent) {
    Packet test = toAgent.with(Field.ETH_SRC, ProbeIdentity.MAC);
    return List.of(
        probe(PacketClass.TUNNEL, real, aim, test),
        probe(PacketClass.TUNNEL, real, aim, toAgent),
        probe(PacketClass.UNKNOWN_VTEP, strange, aim, test));
  }

  /** In the receiver's network, as the router of the sender's DPU would send it, and nearly so. */
  private List<Probe> routed(LocalPortPolicy to, IpAddress source, IpAddress other) {
    NetworkName network = to.name().network();
    boolean known = routes.arePeers(network, from.name().network()) || hasPortOf(network);
    Place.Tunnel tunnel =
        new Place.Tunnel(
            vtep, ground.vni(network), known ? Optional.of(network) : Optional.empty());
    Place aim = new Place.Local(to.name());
    Packet packet = packet(to.mac(), source, other).with(Field.ETH_SRC, RouterIdentity.MAC);
    List<Probe> probes = new ArrayList<>();
    probes.add(probe(PacketClass.ROUTED, tunnel, aim, packet));
    if (known) {
      Packet all = packet.with(Field.ETH_DST, MacAddress.BROADCAST);
      Packet spoofed = packet.with(Field.IP_SRC, Field.IPV6_SRC, other);
      probes.add(probe(PacketClass.ROUTED, tunnel, aim, all));
      probes.add(probe(PacketClass.ROUTED, tunnel, aim, spoofed));
      probes.add(probe(PacketClass.ROUTED, tunnel, aim, packet.with(Field.ETH_SRC, from.mac())));
    }
    return probes;
  }

  /** A DPU with a port in the network too may send its packets. */
  private boolean hasPortOf(NetworkName network) {
    return ground.remotes().values().stream()
        .anyMatch(port -> port.name().network().equals(network) && ground.vtep(port).equals(vtep));
  }

  private Packet packet(MacAddress to, IpAddress source, IpAddress destination) {
    Packet at = Packet.from(ground.tunnel().orElseThrow());
    return Packets.udp(Packets.frame(at, from.mac(), to), source, destination);
  }

  private static Probe probe(PacketClass kind, Place.Tunnel tunnel, Place aim, Packet packet) {
    Packet carried =
        packet
            .with(Field.TUN_ID, tunnel.vni())
            .with(Field.TUN_SRC, Field.TUN_IPV6_SRC, tunnel.vtep());
    return new Probe(kind, tunnel, aim, carried);
  }
}
