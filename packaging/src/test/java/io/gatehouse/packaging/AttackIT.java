package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.mac;
import static io.gatehouse.packaging.packet.OddFrames.ethernet;
import static io.gatehouse.packaging.packet.OddFrames.fragment;
import static io.gatehouse.packaging.packet.OddFrames.hex;
import static io.gatehouse.packaging.packet.OddFrames.ipv4;
import static io.gatehouse.packaging.packet.OddFrames.ipv6;
import static io.gatehouse.packaging.packet.OddFrames.join;
import static io.gatehouse.packaging.packet.OddFrames.options;
import static io.gatehouse.packaging.packet.OddFrames.tagged;
import static io.gatehouse.packaging.packet.OddFrames.udp;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.packet.Frames;
import io.gatehouse.packaging.packet.Frames.Ends;
import io.gatehouse.packaging.packet.Mark;
import io.gatehouse.packaging.packet.PacketSocket;
import io.gatehouse.packaging.packet.VxlanSender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a hostile host may put on its link, to the byte: it reaches nobody, and the flow that drops
 * it has counted it. What passes is told too. docs/security.md has the table.
 */
final class AttackIT {
  private static final Ends TO_TWO = Ends.of(mac(1), mac(2));
  private static final Ends TO_ALL = Ends.of(mac(1), "ff:ff:ff:ff:ff:ff");
  private static final Ends TO_NODES = Ends.of(mac(1), "33:33:00:00:00:01");
  private static final String V4 = "10.0.0.1 10.0.0.2";
  private static final String V6 = "fd00:0:0:1::1 fd00:0:0:1::2";
  private static final String LINK_LOCAL = "fe80::ff:fe00:1 ff02::1";
  private static final byte[] NONE = {};
  private static final int TIMES = 3;

  private static final String RA_DROP = "priority=200,icmp6,icmp_type=134";

  private static PlannedLab lab;

  @BeforeAll
  static void start() {
    lab = PlannedLab.start();
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private interface Making {
    byte[] frame(byte[] mark);
  }

  /** Attacks by the flow that must count them. */
  private static final class Attacks {
    private final Map<String, List<byte[]>> frames = new LinkedHashMap<>();
    private final List<Mark> marks = new ArrayList<>();

    Attacks add(String counter, String name, Making making) {
      Mark mark = Mark.of(name);
      marks.add(mark);
      frames.computeIfAbsent(counter, key -> new ArrayList<>()).add(making.frame(mark.bytes()));
      return this;
    }
  }

  private static void noneArrives(Attacks attacks) throws Exception {
    try (PacketSocket sender = lab.tap("one");
        PacketSocket two = lab.tap("two");
        PacketSocket other = lab.tap("other");
        PacketSocket three = lab.tap("three")) {
      for (Map.Entry<String, List<byte[]>> attack : attacks.frames.entrySet()) {
        String flow = attack.getKey();
        long before = lab.packets(1, flow);
        for (int i = 0; i < TIMES; i++) {
          attack.getValue().forEach(sender::send);
        }
        long expected = before + (long) TIMES * attack.getValue().size();
        Eventually.holds(
            "each is counted by " + flow,
            () -> lab.packets(1, flow) >= expected,
            () -> lab.packets(1, flow) + " instead of " + expected);
      }
      Mark good = Mark.of("true");
      byte[] toTwo = Frames.udp(TO_TWO, "10.0.0.1", "10.0.0.2", good);
      two.await(good, () -> sender.send(toTwo), Eventually.LIMIT);
      byte[] toThree = Frames.udp(Ends.of(mac(1), mac(3)), "10.0.0.1", "10.0.0.3", good);
      three.await(good, () -> sender.send(toThree), Eventually.LIMIT);
      for (Mark mark : attacks.marks) {
        assertThat(List.of(two.count(mark), other.count(mark), three.count(mark)))
            .as("%s at two, other, three", mark)
            .containsOnly(0L);
      }
    }
  }

  private static byte[] arp(String hardware, String sender, String target, byte[] mark) {
    return ethernet(TO_ALL, 0x0806, hex(hardware + sender + target), mark);
  }

  @Test
  @DisplayName("F26: addresses that are not one's own, in IP, ARP and neighbour discovery")
  void f26SpoofedSources() throws Exception {
    noneArrives(
        new Attacks()
            .add(
                "priority=90,ip ",
                "IPv4 source",
                m -> ipv4(TO_TWO, "10.0.0.3 10.0.0.2", 0, NONE, udp(9, m)))
            .add(
                "priority=90,ip ",
                "MAC",
                m -> ipv4(Ends.of(mac(3), mac(2)), V4, 0, NONE, udp(9, m)))
            .add(
                "priority=90,ipv6 ",
                "IPv6 source",
                m -> ipv6(TO_TWO, "fd00:0:0:1::3 fd00:0:0:1::2", 17, udp(9, m)))
            .add(
                "priority=90,arp ",
                "reply for another",
                m -> arp("0001080006040002", "0200000000010a000003", "0200000000020a000002", m))
            .add(
                "priority=90,arp ",
                "another's MAC",
                m -> arp("0001080006040002", "0200000000030a000001", "0200000000020a000002", m))
            .add(
                "priority=90,arp ",
                "gratuitous for another",
                m -> arp("0001080006040001", "0200000000010a000003", "0000000000000a000003", m))
            .add(
                "priority=90,arp ",
                "another kind of hardware",
                m -> arp("0006080006040002", "0200000000010a000001", "0200000000020a000002", m)));
  }

  @Test
  @DisplayName("F26: neighbour discovery that says what is not so")
  void f26SpoofedDiscovery() throws Exception {
    noneArrives(
        new Attacks()
            .add(
                "priority=110,icmp6,icmp_type=136",
                "advertisement of another's address",
                m ->
                    ipv6(
                        TO_NODES,
                        "fd00:0:0:1::1 ff02::1",
                        58,
                        hex("8800 0000 20000000 fd000000000000010000000000000003 0201020000000001"),
                        m))
            .add(
                "priority=110,icmp6,icmp_type=135",
                "solicitation with another's MAC",
                m ->
                    ipv6(
                        TO_NODES,
                        V6,
                        58,
                        hex("8700 0000 00000000 fd000000000000010000000000000002 0101020000000003"),
                        m))
            .add(
                "priority=110,icmp6,icmp_type=135",
                "detection of another's address",
                m ->
                    ipv6(
                        TO_NODES,
                        ":: ff02::1:ff00:3",
                        58,
                        hex("8700 0000 00000000 fd000000000000010000000000000003"),
                        m)));
  }

  @Test
  @DisplayName("F27: router advertisements however they are wrapped, redirects, DHCP answers")
  void f27RoutersAndServers() throws Exception {
    byte[] advertisement = hex("8600 0000 4000 0708 00000000 00000000 fd03 0000 00000000");
    byte[] routing = hex("3a02 0000" + "00".repeat(20));
    noneArrives(
        new Attacks()
            .add(RA_DROP, "RA", m -> ipv6(TO_NODES, LINK_LOCAL, 58, advertisement, m))
            .add(
                RA_DROP,
                "RA behind hop-by-hop",
                m -> ipv6(TO_NODES, LINK_LOCAL, 0, options(58), advertisement, m))
            .add(
                RA_DROP,
                "RA behind destination options",
                m -> ipv6(TO_NODES, LINK_LOCAL, 60, options(58), advertisement, m))
            .add(
                RA_DROP,
                "RA behind three headers",
                m ->
                    ipv6(
                        TO_NODES,
                        LINK_LOCAL,
                        0,
                        options(60),
                        options(43),
                        routing,
                        advertisement,
                        m))
            .add(
                RA_DROP,
                "RA in an atomic fragment",
                m -> ipv6(TO_NODES, LINK_LOCAL, 44, fragment(58, 0), advertisement, m))
            .add(
                "priority=220,ipv6,nw_frag=yes",
                "RA in two",
                m -> ipv6(TO_NODES, LINK_LOCAL, 60, options(44), fragment(58, 1), advertisement, m))
            .add(
                "priority=200,icmp6,icmp_type=137",
                "redirect",
                m -> ipv6(TO_TWO, LINK_LOCAL, 58, hex("8900 0000 00000000" + "00".repeat(32)), m))
            .add(
                "priority=200,udp,tp_src=67",
                "DHCP offer",
                m -> ipv4(TO_TWO, V4, 0, NONE, udp(67, m)))
            .add(
                "priority=200,udp6,tp_src=547",
                "DHCPv6 reply",
                m -> ipv6(TO_TWO, V6, 17, udp(547, m))));
  }

  @Test
  void tagsAndControlFrames() throws Exception {
    Ends stp = Ends.of(mac(1), "01:80:c2:00:00:00");
    String control = "dl_dst=01:80:c2:00:00:00/ff:ff:ff:ff:ff:f0";
    noneArrives(
        new Attacks()
            .add("priority=220,vlan_tci=0x1000/0x1000 ", "VLAN", m -> tagged(good(m), "81000064"))
            .add(
                "priority=220,vlan_tci=0x1000/0x1000 ",
                "priority tag",
                m -> tagged(good(m), "8100a000"))
            .add(
                "priority=220,vlan_tci=0x1000/0x1000 ",
                "provider's tag",
                m -> tagged(good(m), "88a80064"))
            .add("dl_type=0x8100", "two tags", m -> tagged(good(m), "8100006481000065"))
            .add(
                "dl_type=0x8100",
                "provider's and one's own",
                m -> tagged(good(m), "88a8006481000065"))
            .add(
                "dl_type=0x88a8",
                "two tags the wrong way round",
                m -> tagged(good(m), "8100006488a80065"))
            .add(control, "STP", m -> ethernet(stp, 38, hex("424203"), m, new byte[30]))
            .add(control, "LLDP", m -> ethernet(Ends.of(mac(1), "01:80:c2:00:00:0e"), 0x88cc, m))
            .add(
                control,
                "pause",
                m -> ethernet(Ends.of(mac(1), "01:80:c2:00:00:01"), 0x8808, hex("0001ffff"), m)));
  }

  @Test
  void fragmentsAndHeadersThatAreCut() throws Exception {
    noneArrives(
        new Attacks()
            .add(
                "priority=220,ip,nw_frag=yes",
                "first IPv4 fragment",
                m -> ipv4(TO_TWO, V4, 0x2000, NONE, udp(9, m)))
            .add(
                "priority=220,ip,nw_frag=yes",
                "later IPv4 fragment",
                m -> ipv4(TO_TWO, V4, 0x0010, NONE, join(m, m)))
            .add(
                "priority=220,ipv6,nw_frag=yes",
                "first IPv6 fragment",
                m -> ipv6(TO_TWO, V6, 44, fragment(17, 1), udp(9, m)))
            .add(
                "priority=220,ipv6,nw_frag=yes",
                "later IPv6 fragment",
                m -> ipv6(TO_TWO, V6, 44, fragment(17, 24), m))
            .add(
                "priority=220,ipv6,nw_proto=0 ",
                "options that end behind the packet",
                m -> ipv6(TO_TWO, V6, 0, hex("11ff"), m))
            .add("priority=220,ipv6,nw_proto=59 ", "no next header", m -> ipv6(TO_TWO, V6, 59, m))
            .add(
                "priority=220,ipv6,nw_proto=135 ",
                "mobility",
                m -> ipv6(TO_TWO, V6, 135, hex("3b00 0000 0000 0000"), m))
            .add("priority=90,ip ", "IPv4 header of 12 bytes", m -> header(good(m), 0, 0x43))
            .add("priority=90,ip ", "IPv4 that says it is shorter", m -> header(good(m), 3, 16)));
  }

  /** The frame with another byte in its IP header. */
  private static byte[] header(byte[] frame, int at, int value) {
    frame[14 + at] = (byte) value;
    return frame;
  }

  @Test
  void otherProtocolsThanIp() throws Exception {
    noneArrives(
        new Attacks()
            .add(
                "table=10,.* priority=0 ",
                "MPLS",
                m -> ethernet(TO_TWO, 0x8847, hex("000641ff"), m))
            .add("table=10,.* priority=0 ", "PPPoE", m -> ethernet(TO_TWO, 0x8863, m))
            .add("table=10,.* priority=0 ", "LLDP to a host", m -> ethernet(TO_TWO, 0x88cc, m))
            .add(
                "table=10,.* priority=0 ",
                "802.3 without a type",
                m -> ethernet(TO_TWO, 30, hex("424203"), m, new byte[11])));
  }

  @Test
  @DisplayName("another tenant's VNI, a VTEP that nobody told of, half a frame")
  void forgedTunnels() throws Exception {
    Mark stranger = Mark.of("unknown VTEP");
    Mark foreign = Mark.of("another tenant's VNI");
    Mark good = Mark.of("DPU 2's VTEP");
    String drop = "table=0,.* priority=0 ";
    Ends ends = Ends.of(mac(3), mac(2));
    try (VxlanSender fabric = new VxlanSender(lab.lab().namespace("fabric"), "172.16.1.1");
        VxlanSender dpu = new VxlanSender(lab.lab().namespace("dpu2"), "172.16.1.1");
        PacketSocket two = lab.tap("two");
        PacketSocket other = lab.tap("other")) {
      byte[] frame = Frames.udp(ends, "10.0.0.3", "10.0.0.2", good);
      two.await(good, () -> dpu.send(PlannedLab.ACME_VNI, frame), Eventually.LIMIT);
      long before = lab.packets(1, drop);
      byte[] forged = Frames.udp(ends, "10.0.0.3", "10.0.0.2", stranger);
      byte[] crossing = Frames.udp(ends, "10.0.0.3", "10.0.0.2", foreign);
      for (int i = 0; i < TIMES; i++) {
        fabric.send(PlannedLab.ACME_VNI, forged);
        dpu.send(PlannedLab.GLOBEX_VNI, crossing);
        dpu.send(PlannedLab.ACME_VNI, Arrays.copyOf(frame, 9));
      }
      Eventually.holds(
          "the forged ones are counted", () -> lab.packets(1, drop) >= before + 2 * TIMES);
      Mark last = Mark.of("the last");
      byte[] after = Frames.udp(ends, "10.0.0.3", "10.0.0.2", last);
      two.await(last, () -> dpu.send(PlannedLab.ACME_VNI, after), Eventually.LIMIT);
      assertThat(two.count(stranger)).isZero();
      assertThat(two.count(foreign) + other.count(foreign)).isZero();
      assertThat(other.count(good)).isZero();
    }
  }

  @Test
  @DisplayName(
      "what Open vSwitch 3.1 cannot see goes to one's own network, with one's own addresses")
  void whatPasses() throws Exception {
    Map<Mark, byte[]> frames = new LinkedHashMap<>();
    passing(
        frames, "IPv4 source route", m -> ipv4(TO_TWO, V4, 0, hex("83070400000000 00"), udp(9, m)));
    passing(frames, "hop-by-hop", m -> ipv6(TO_TWO, V6, 0, options(17), udp(9, m)));
    passing(frames, "destination options", m -> ipv6(TO_TWO, V6, 60, options(17), udp(9, m)));
    passing(frames, "routing", m -> ipv6(TO_TWO, V6, 43, hex("1100 0000 00000000"), udp(9, m)));
    passing(frames, "atomic fragment", m -> ipv6(TO_TWO, V6, 44, fragment(17, 0), udp(9, m)));
    passing(frames, "ESP", m -> ipv6(TO_TWO, V6, 50, m));
    passing(frames, "a tunnel of one's own", m -> ipv6(TO_TWO, V6, 41, m));
    try (PacketSocket sender = lab.tap("one");
        PacketSocket two = lab.tap("two");
        PacketSocket other = lab.tap("other")) {
      for (Map.Entry<Mark, byte[]> frame : frames.entrySet()) {
        two.await(frame.getKey(), () -> sender.send(frame.getValue()), Eventually.LIMIT);
        assertThat(other.count(frame.getKey())).as("%s", frame.getKey()).isZero();
      }
    }
  }

  private static void passing(Map<Mark, byte[]> frames, String name, Making making) {
    Mark mark = Mark.of(name);
    frames.put(mark, making.frame(mark.bytes()));
  }

  private static byte[] good(byte[] mark) {
    return ipv4(TO_TWO, V4, 0, NONE, udp(9, mark));
  }
}
