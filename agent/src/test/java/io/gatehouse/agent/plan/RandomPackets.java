package io.gatehouse.agent.plan;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.walk.Packet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Packets made by chance, mostly of values that some flow looks at. */
public final class RandomPackets {
  private static final int[] IP_PROTOCOLS = {1, 6, 17, 132, 47, 58};

  private final SplittableRandom random;
  private final List<Integer> ports;
  private final int tunnelPort;
  private final List<Flow> guards;
  private final Map<Field, List<Bits>> known = new EnumMap<>(Field.class);

  public RandomPackets(
      SplittableRandom random, Collection<Integer> ports, int tunnelPort, List<Flow> flows) {
    this.random = random;
    this.ports = new ArrayList<>(new TreeSet<>(ports));
    this.tunnelPort = tunnelPort;
    this.guards =
        flows.stream()
            .filter(flow -> flow.match().has(Field.ETH_SRC) || flow.match().has(Field.TUN_ID))
            .toList();
    flows.forEach(
        flow ->
            flow.match()
                .forEach(
                    (field, value, mask) ->
                        known.computeIfAbsent(field, f -> new ArrayList<>()).add(value)));
  }

  public Packet next() {
    return random.nextBoolean() || guards.isEmpty() ? anyPacket() : fitting();
  }

  /** A packet that meets all that one flow asks for, so that it gets further. */
  private Packet fitting() {
    Match match = guards.get(random.nextInt(guards.size())).match();
    Packet packet = anyPacket();
    int type = match.exact(Field.ETH_TYPE).map(value -> (int) value.low()).orElse(0);
    while ((type != 0 && packet.get(Field.ETH_TYPE).low() != type)
        || (match.has(Field.TUN_ID) && packet.inPort() != tunnelPort)
        || (match.has(Field.IP_PROTO) && !sameProtocol(packet, match))
        || (match.has(Field.ICMPV6_TYPE) && !sameMessage(packet, match))) {
      packet = anyPacket();
    }
    for (Match.Entry entry : match.entries()) {
      Bits others = packet.get(entry.field()).and(entry.mask().not());
      packet = packet.with(entry.field(), others.or(entry.value()));
    }
    return packet;
  }

  private static boolean sameProtocol(Packet packet, Match match) {
    return match.exact(Field.IP_PROTO).equals(Optional.of(packet.get(Field.IP_PROTO)));
  }

  private static boolean sameMessage(Packet packet, Match match) {
    return match.exact(Field.ICMPV6_TYPE).equals(Optional.of(packet.get(Field.ICMPV6_TYPE)))
        && packet.get(Field.IP_PROTO).low() == 58
        && packet.get(Field.ICMPV6_CODE).isZero();
  }

  private Packet anyPacket() {
    int port = random.nextInt(12) == 0 ? 77 : ports.get(random.nextInt(ports.size()));
    Packet packet = Packet.from(port);
    if (port == tunnelPort) {
      boolean v6 = known.containsKey(Field.TUN_IPV6_SRC);
      packet = with(packet, Field.TUN_ID);
      packet = with(packet, v6 ? Field.TUN_IPV6_SRC : Field.TUN_SRC);
      packet = with(packet, v6 ? Field.TUN_IPV6_DST : Field.TUN_DST);
    }
    packet = with(packet, Field.ETH_SRC);
    packet =
        random.nextInt(5) == 0
            ? packet.with(Field.ETH_DST, 0xffff_ffff_ffffL)
            : with(packet, random.nextBoolean() ? Field.ETH_DST : Field.ETH_SRC, Field.ETH_DST);
    return switch (random.nextInt(8)) {
      case 0, 1 -> arp(packet);
      case 2, 3, 4 -> v4(packet);
      case 5, 6 -> v6(packet);
      default -> packet.with(Field.ETH_TYPE, 0x88cc);
    };
  }

  private Packet arp(Packet packet) {
    Packet arp = packet.with(Field.ETH_TYPE, 0x0806).with(Field.ARP_OP, 1 + random.nextInt(2));
    arp = with(arp, Field.ARP_SPA);
    arp = with(arp, Field.ARP_TPA);
    arp = with(arp, Field.ETH_SRC, Field.ARP_SHA);
    return with(arp, Field.ETH_SRC, Field.ARP_THA);
  }

  private Packet v4(Packet packet) {
    Packet ip = packet.with(Field.ETH_TYPE, 0x0800);
    return transport(
        with(with(ip, Field.IP_SRC), destination(Field.IP_SRC, Field.IP_DST), Field.IP_DST));
  }

  private Packet v6(Packet packet) {
    Packet ip = packet.with(Field.ETH_TYPE, 0x86dd);
    ip =
        with(with(ip, Field.IPV6_SRC), destination(Field.IPV6_SRC, Field.IPV6_DST), Field.IPV6_DST);
    if (random.nextBoolean()) {
      return transport(ip);
    }
    return discovery(ip.with(Field.IP_PROTO, 58).with(Field.NW_TTL, 255));
  }

  /** An address that a host speaks from, or that something is routed to. */
  private Field destination(Field source, Field destination) {
    return known.containsKey(destination) && random.nextBoolean() ? destination : source;
  }

  private Packet discovery(Packet ip) {
    int type = 133 + random.nextInt(5);
    Packet icmp = ip.with(Field.ICMPV6_TYPE, type).with(Field.ICMPV6_CODE, 0);
    if (type != 135 && type != 136) {
      return icmp;
    }
    Packet target = with(icmp, Field.ND_TARGET);
    if (random.nextInt(4) == 0) {
      return target;
    }
    return with(target, Field.ETH_SRC, type == 135 ? Field.ND_SLL : Field.ND_TLL);
  }

  private Packet transport(Packet packet) {
    boolean v4 = packet.get(Field.ETH_TYPE).low() == 0x0800;
    int protocol = IP_PROTOCOLS[random.nextInt(IP_PROTOCOLS.length)];
    Packet ip = packet.with(Field.IP_PROTO, protocol).with(Field.NW_TTL, random.nextInt(3) + 1);
    if (random.nextInt(8) == 0) {
      ip = ip.with(Field.IP_FRAG, 1);
    }
    return switch (protocol) {
      case 1 -> v4 ? ip.with(Field.ICMP_TYPE, random.nextInt(2) * 8L) : ip;
      case 6 -> ports(ip, Field.TCP_SRC, Field.TCP_DST);
      case 17 -> ports(ip, Field.UDP_SRC, Field.UDP_DST);
      case 132 -> ports(ip, Field.SCTP_SRC, Field.SCTP_DST);
      case 58 -> v4 ? ip : ip.with(Field.ICMPV6_TYPE, 128);
      default -> ip;
    };
  }

  private Packet ports(Packet ip, Field source, Field destination) {
    return with(with(ip, source), destination);
  }

  private Packet with(Packet packet, Field field) {
    return with(packet, field, field);
  }

  /** A value that flows compare in one field, put into another; or any value. */
  private Packet with(Packet packet, Field from, Field to) {
    List<Bits> values = known.getOrDefault(from, List.of());
    boolean any = values.isEmpty() || random.nextInt(5) == 0;
    Bits value =
        any
            ? new Bits(random.nextLong(), random.nextLong() & ~(1L << 40))
            : values.get(random.nextInt(values.size()));
    return packet.with(to, value);
  }
}
