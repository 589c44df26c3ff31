package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a host of this DPU may send to everybody or nobody, and what it may try. */
final class HostProbes {
  /** A locally administered address that the control plane gives to nobody. */
  private static final long NOBODY = 0x02ff_ffff_fffeL;

  private static final IpAddress ALL_V4 = IpAddress.parse("255.255.255.255");
  private static final IpAddress ALL_V6 = IpAddress.parse("ff02::1");
  private static final MacAddress ALL_V6_MAC = MacAddress.parse("33:33:00:00:00:01");
  private static final Place EVERYBODY = new Place.Unknown("everybody");
  private static final Place NONE = new Place.Unknown("nobody");

  private final LocalPortPolicy host;
  private final Packet at;
  private final List<Probe> probes = new ArrayList<>();

  HostProbes(Ground ground, LocalPortPolicy host) {
    this.host = host;
    this.at = Packet.from(ground.number(host.name()));
  }

  Stream<Probe> all() {
    for (IpAddress own : host.addresses()) {
      if (own.isV4()) {
        v4(own);
      } else {
        v6(own);
      }
    }
    if (host.addresses().stream().noneMatch(IpAddress::isV6)) {
      Packet frame = Packets.frame(at, host.mac(), ALL_V6_MAC);
      IpAddress linkLocal = host.mac().linkLocal();
      add(PacketClass.SPOOFED_IP, EVERYBODY, Packets.udp(frame, linkLocal, ALL_V6));
    }
    HostQuestions.of(host, at).forEach(packet -> add(PacketClass.HOST_QUESTION, EVERYBODY, packet));
    return probes.stream();
  }

  private void add(PacketClass kind, Place aim, Packet packet) {
    probes.add(new Probe(kind, new Place.Local(host.name()), aim, packet));
  }

  private void v4(IpAddress own) {
    Packet all = Packets.frame(at, host.mac(), MacAddress.BROADCAST);
    Packet nobody = Packets.frame(at, host.mac(), new MacAddress(NOBODY));
    Packet forged = Packets.frame(at, new MacAddress(NOBODY), MacAddress.BROADCAST);
    IpAddress foreign = foreign(own);
    add(PacketClass.BROADCAST, EVERYBODY, Packets.udp(all, own, ALL_V4));
    add(PacketClass.UNKNOWN_UNICAST, NONE, Packets.udp(nobody, own, foreign));
    add(PacketClass.SPOOFED_MAC, EVERYBODY, Packets.udp(forged, own, ALL_V4));
    add(PacketClass.SPOOFED_MAC, EVERYBODY, Packets.udp(asRouter(all), own, ALL_V4));
    add(PacketClass.ROUTED, NONE, Packets.udp(toRouter(all), own, foreign));
    add(PacketClass.ROUTED, NONE, Packets.arp(toRouter(all), 2, own, foreign));
    add(PacketClass.SPOOFED_IP, EVERYBODY, Packets.udp(all, foreign, ALL_V4));
    add(PacketClass.ARP_REQUEST, NONE, Packets.arp(all, 1, own, foreign));
    add(PacketClass.ARP_REQUEST, NONE, Packets.arp(all, 1, own, own));
    add(PacketClass.ARP_REQUEST, NONE, Packets.arp(all, 1, IpAddress.V4_UNSPECIFIED, foreign));
    add(PacketClass.ARP_REPLY, EVERYBODY, Packets.arp(all, 2, own, own));
    add(PacketClass.SPOOFED_ARP, EVERYBODY, Packets.arp(all, 2, foreign, foreign));
    add(PacketClass.SPOOFED_ARP, EVERYBODY, Packets.arp(forged, 2, own, own));
    add(
        PacketClass.SPOOFED_ARP,
        EVERYBODY,
        Packets.arp(all, 2, own, own).with(Field.ARP_SHA, NOBODY));
    add(PacketClass.DHCP_SERVER, EVERYBODY, Packets.udp(all, own, ALL_V4, 67, 68));
  }

  private void v6(IpAddress own) {
    Packet all = Packets.frame(at, host.mac(), ALL_V6_MAC);
    Packet nobody = Packets.frame(at, host.mac(), new MacAddress(NOBODY));
    Packet forged = Packets.frame(at, new MacAddress(NOBODY), ALL_V6_MAC);
    IpAddress foreign = foreign(own);
    IpAddress linkLocal = host.mac().linkLocal();
    add(PacketClass.BROADCAST, EVERYBODY, Packets.udp(all, own, ALL_V6));
    add(PacketClass.BROADCAST, EVERYBODY, Packets.udp(all, linkLocal, ALL_V6));
    add(PacketClass.UNKNOWN_UNICAST, NONE, Packets.udp(nobody, own, foreign));
    add(PacketClass.SPOOFED_MAC, EVERYBODY, Packets.udp(forged, own, ALL_V6));
    add(PacketClass.SPOOFED_MAC, EVERYBODY, Packets.udp(asRouter(all), own, ALL_V6));
    add(PacketClass.ROUTED, NONE, Packets.udp(toRouter(all), own, foreign));
    add(PacketClass.SPOOFED_IP, EVERYBODY, Packets.udp(all, foreign, ALL_V6));
    add(PacketClass.ROUTER, EVERYBODY, Packets.icmp6(all, linkLocal, ALL_V6, 134));
    add(PacketClass.ROUTER, EVERYBODY, Packets.icmp6(all, linkLocal, ALL_V6, 137));
    add(PacketClass.DHCP_SERVER, EVERYBODY, Packets.udp(all, linkLocal, ALL_V6, 547, 546));
    for (IpAddress says : List.of(own, linkLocal)) {
      discovery(all, says, own, foreign);
    }
  }

  private void discovery(Packet all, IpAddress says, IpAddress own, IpAddress foreign) {
    Packet asks = Packets.discovery(all, Headers.SOLICITATION, says, foreign);
    Packet tells =
        Packets.discovery(all, Headers.ADVERTISEMENT, says, says)
            .with(Field.IPV6_DST, Field.IPV6_DST, ALL_V6);
    add(PacketClass.ND, NONE, asks);
    add(PacketClass.ND, NONE, asks.with(Field.ND_SLL, MacAddress.ZERO));
    // "Is anybody using what is to be mine?"
    add(PacketClass.ND, NONE, probe(all, says));
    add(PacketClass.ND, EVERYBODY, tells);
    add(PacketClass.ND, EVERYBODY, tells.with(Field.ND_TLL, MacAddress.ZERO));
    add(PacketClass.SPOOFED_ND, NONE, probe(all, foreign));
    add(PacketClass.SPOOFED_ND, NONE, asks.with(Field.ND_SLL, NOBODY));
    add(PacketClass.SPOOFED_ND, EVERYBODY, tells.with(Field.ND_TLL, NOBODY));
    add(
        PacketClass.SPOOFED_ND,
        EVERYBODY,
        tells.with(Field.ND_TARGET, Field.ND_TARGET, foreign(own)));
  }

  private static Packet asRouter(Packet frame) {
    return frame.with(Field.ETH_SRC, RouterIdentity.MAC);
  }

  private static Packet toRouter(Packet frame) {
    return frame.with(Field.ETH_DST, RouterIdentity.MAC);
  }

  private static Packet probe(Packet all, IpAddress target) {
    return Packets.discovery(all, Headers.SOLICITATION, IpAddress.V6_UNSPECIFIED, target)
        .with(Field.ND_SLL, MacAddress.ZERO);
  }

  /** An address beside the host's own that nothing gives it. */
  private IpAddress foreign(IpAddress own) {
    for (long bit = 1; ; bit <<= 1) {
      IpAddress other = new IpAddress(own.family(), own.high(), own.low() ^ bit);
      if (!SourceRules.owns(host, host.mac(), other) || bit == 1L << 30) {
        return other;
      }
    }
  }
}
