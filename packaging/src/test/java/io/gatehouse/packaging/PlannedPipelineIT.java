package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.mac;
import static io.gatehouse.packaging.packet.OddFrames.ethernet;
import static io.gatehouse.packaging.packet.OddFrames.hex;
import static io.gatehouse.packaging.packet.OddFrames.ipv4;
import static io.gatehouse.packaging.packet.OddFrames.ipv6;
import static io.gatehouse.packaging.packet.OddFrames.udp;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.RateLimits.Rate;
import io.gatehouse.packaging.PlannedLab.Terms;
import io.gatehouse.packaging.packet.Frames;
import io.gatehouse.packaging.packet.Frames.Ends;
import io.gatehouse.packaging.packet.Mark;
import io.gatehouse.packaging.packet.PacketSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Address pairs, quarantine and limits with real packets, on two DPUs. */
final class PlannedPipelineIT {
  private static final String VIRTUAL_MAC = "00:00:5e:00:01:01";
  private static final byte[] NONE = {};
  private static final Terms FLOATING =
      new Terms(
          new PortSecurity(
              List.of(),
              List.of(
                  new AddressPair(
                      Cidr.parse("10.0.0.100/32"), Optional.of(MacAddress.parse(VIRTUAL_MAC))),
                  new AddressPair(Cidr.parse("fd00:0:0:1::100/128"), Optional.empty()))),
          RateLimits.NONE,
          Optional.empty());

  private static PlannedLab lab;

  @BeforeAll
  static void start() {
    lab = PlannedLab.start();
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private static Terms quarantined(String... allowed) {
    List<Cidr> cidrs = Arrays.stream(allowed).map(Cidr::parse).toList();
    return new Terms(
        PortSecurity.NONE, RateLimits.NONE, Optional.of(new Quarantine("of a test", cidrs)));
  }

  @Test
  void aFloatingAddressIsAskedForAndReachedWhereverItIs() throws Exception {
    lab.apply(Map.of("two", FLOATING, "three", FLOATING));
    Mark question = Mark.of("who has the floating address");
    Mark told = Mark.of("it has moved here");
    Mark data = Mark.of("to the floating address");
    Mark answer = Mark.of("from the floating address");
    try (PacketSocket one = lab.tap("one");
        PacketSocket two = lab.tap("two");
        PacketSocket other = lab.tap("other");
        PacketSocket three = lab.tap("three")) {
      byte[] asks =
          ethernet(
              Ends.of(mac(1), "ff:ff:ff:ff:ff:ff"),
              0x0806,
              hex("0001080006040001 0200000000010a000001 0000000000000a000064"),
              question.bytes());
      three.await(question, () -> one.send(asks), Eventually.LIMIT);
      two.await(question, () -> one.send(asks), Eventually.LIMIT);
      byte[] announces =
          ethernet(
              Ends.of(VIRTUAL_MAC, "ff:ff:ff:ff:ff:ff"),
              0x0806,
              hex("0001080006040001 00005e0001010a000064 0000000000000a000064"),
              told.bytes());
      one.await(told, () -> three.send(announces), Eventually.LIMIT);
      byte[] to =
          ipv4(Ends.of(mac(1), VIRTUAL_MAC), "10.0.0.1 10.0.0.100", 0, NONE, udp(9, data.bytes()));
      three.await(data, () -> one.send(to), Eventually.LIMIT);
      two.await(data, () -> one.send(to), Eventually.LIMIT);
      byte[] from =
          ipv4(
              Ends.of(VIRTUAL_MAC, mac(1)), "10.0.0.100 10.0.0.1", 0, NONE, udp(9, answer.bytes()));
      one.await(answer, () -> three.send(from), Eventually.LIMIT);
      assertThat(other.count(question) + other.count(told) + other.count(data)).isZero();
      floatingIpv6(one, two, three);
      nobodyElseMayUseIt(one, three);
    }
  }

  private static void floatingIpv6(PacketSocket one, PacketSocket two, PacketSocket three) {
    Mark question = Mark.of("who has the floating IPv6 address");
    Ends ends = Ends.of(mac(1), "33:33:ff:00:01:00");
    byte[] asks =
        ipv6(
            ends,
            "fd00:0:0:1::1 ff02::1:ff00:100",
            58,
            hex("8700 0000 00000000 fd000000000000010000000000000100 0101020000000001"),
            question.bytes());
    three.await(question, () -> one.send(asks), Eventually.LIMIT);
    two.await(question, () -> one.send(asks), Eventually.LIMIT);
    Mark answer = Mark.of("advertises the floating IPv6 address");
    byte[] tells =
        ipv6(
            Ends.of(mac(3), mac(1)),
            "fd00:0:0:1::100 fd00:0:0:1::1",
            58,
            hex("8800 0000 60000000 fd000000000000010000000000000100 0201020000000003"),
            answer.bytes());
    one.await(answer, () -> three.send(tells), Eventually.LIMIT);
  }

  private static void nobodyElseMayUseIt(PacketSocket one, PacketSocket three) {
    Mark stolen = Mark.of("one with the floating address");
    Ends ends = Ends.of(mac(1), mac(3));
    one.send(ipv4(ends, "10.0.0.100 10.0.0.3", 0, NONE, udp(9, stolen.bytes())));
    Mark borrowed = Mark.of("three with another address and the virtual MAC");
    three.send(
        ipv4(Ends.of(VIRTUAL_MAC, mac(1)), "10.0.0.3 10.0.0.1", 0, NONE, udp(9, borrowed.bytes())));
    Mark good = Mark.of("true");
    byte[] there = Frames.udp(ends, "10.0.0.1", "10.0.0.3", good);
    three.await(good, () -> one.send(there), Eventually.LIMIT);
    byte[] back = Frames.udp(Ends.of(mac(3), mac(1)), "10.0.0.3", "10.0.0.1", good);
    one.await(good, () -> three.send(back), Eventually.LIMIT);
    assertThat(three.count(stolen) + one.count(borrowed)).isZero();
  }

  @Test
  void peersReachEachOtherThroughTheTunnelAndNothingElseCrosses() {
    lab.apply(Map.of());
    assertThat(lab.lab().isCutOff("one", "10.1.0.5")).isTrue();
    assertThat(lab.lab().isCutOff("guest", "fd00:0:0:1::1")).isTrue();

    lab.applyPeering();
    assertThat(lab.lab().reaches("one", "10.1.0.5")).isTrue();
    assertThat(lab.lab().reaches("guest", "10.0.0.1")).isTrue();
    assertThat(lab.lab().reaches("one", "fd00:0:0:2::5")).isTrue();
    assertThat(lab.lab().reaches("guest", "fd00:0:0:1::3")).as("on one DPU").isTrue();
    assertThat(lab.lab().isCutOff("other", "10.1.0.5")).as("who is no peer").isTrue();
    try (PacketSocket one = lab.tap("one");
        PacketSocket three = lab.tap("three");
        PacketSocket guest = lab.tap("guest")) {
      Mark all = Mark.of("to all");
      byte[] broadcast =
          Frames.udp(Ends.of(mac(1), "ff:ff:ff:ff:ff:ff"), "10.0.0.1", "10.1.0.5", all);
      three.await(all, () -> one.send(broadcast), Eventually.LIMIT);
      Mark own = Mark.of("to the guest's own MAC address");
      one.send(Frames.udp(Ends.of(mac(1), mac(5)), "10.0.0.1", "10.1.0.5", own));
      Mark routed = Mark.of("to the router");
      byte[] toRouter =
          Frames.udp(
              Ends.of(mac(1), RouterIdentity.MAC.toString()), "10.0.0.1", "10.1.0.5", routed);
      guest.await(routed, () -> one.send(toRouter), Eventually.LIMIT);
      assertThat(guest.count(all) + guest.count(own)).isZero();
    }

    lab.apply(Map.of());
    assertThat(lab.lab().isCutOff("one", "10.1.0.5")).isTrue();
    assertThat(lab.lab().isCutOff("guest", "10.0.0.1")).isTrue();
  }

  @Test
  void aPortInQuarantineSaysAndHearsNothing() {
    lab.apply(Map.of());
    assertThat(lab.lab().reaches("two", "10.0.0.1")).isTrue();
    lab.apply(Map.of("two", quarantined()));
    assertThat(lab.lab().isCutOff("two", "10.0.0.1")).isTrue();
    assertThat(lab.lab().isCutOff("two", "10.0.0.3")).isTrue();
    assertThat(lab.lab().isCutOff("three", "10.0.0.2")).isTrue();
    assertThat(lab.lab().isCutOff("one", "fd00:0:0:1::2")).isTrue();
    assertThat(lab.lab().reaches("one", "10.0.0.3")).isTrue();
    assertThat(lab.packets(1, "priority=300,in_port=3 ")).isPositive();
    assertThat(lab.packets(1, "priority=300,reg1=0x3 ")).isPositive();
    lab.apply(Map.of());
    assertThat(lab.lab().reaches("two", "10.0.0.1")).isTrue();
  }

  @Test
  void aPortInQuarantineTalksWithWhomItMay() throws Exception {
    lab.apply(Map.of("two", quarantined("10.0.0.3/32", "fd00:0:0:1::3/128"), "one", FLOATING));
    lab.lab().exec("two", "ip", "neigh", "flush", "dev", "eth0");
    assertThat(lab.lab().reaches("two", "10.0.0.3")).isTrue();
    assertThat(lab.lab().reaches("two", "fd00:0:0:1::3")).isTrue();
    assertThat(lab.lab().reaches("three", "10.0.0.2")).isTrue();
    assertThat(lab.lab().isCutOff("two", "10.0.0.1")).isTrue();
    assertThat(lab.lab().isCutOff("one", "10.0.0.2")).isTrue();
    assertThat(lab.lab().isCutOff("two", "10.0.0.100")).isTrue();
    try (PacketSocket one = lab.tap("one");
        PacketSocket two = lab.tap("two");
        PacketSocket three = lab.tap("three")) {
      Mark said = Mark.of("broadcast of the one in quarantine");
      Mark heard = Mark.of("broadcast to it");
      two.send(Frames.udp(Ends.of(mac(2), "ff:ff:ff:ff:ff:ff"), "10.0.0.2", "10.0.0.255", said));
      byte[] all = Frames.udp(Ends.of(mac(1), "ff:ff:ff:ff:ff:ff"), "10.0.0.1", "10.0.0.3", heard);
      three.await(heard, () -> one.send(all), Eventually.LIMIT);
      assertThat(one.count(said) + three.count(said) + two.count(heard)).isZero();
    }
  }

  @Test
  void oneReceiversLimitIsNotTheOthers() {
    Rate few = new Rate(0, 0, 1, 5);
    lab.apply(Map.of("one", Terms.of(Rate.NONE, few)));
    int sent = 200;
    try (PacketSocket one = lab.tap("one");
        PacketSocket two = lab.tap("two");
        PacketSocket three = lab.tap("three")) {
      Mark mark = Mark.of("broadcast");
      Ends ends = Ends.of(mac(3), "ff:ff:ff:ff:ff:ff");
      byte[] frame = Frames.udp(ends, "10.0.0.3", "10.0.0.255", mark);
      two.await(mark, () -> three.send(frame), Eventually.LIMIT);
      for (int i = 0; i < sent; i++) {
        three.send(frame);
      }
      Eventually.holds("two hears all", () -> two.count(mark) >= sent);
      assertThat(one.count(mark)).isBetween(1L, (long) sent / 2);
      assertThat(lab.dropped(1)).isPositive();
    }
  }

  @Test
  void broadcastsOfAHostAreLimitedAndItsOtherPacketsAreNot() throws Exception {
    lab.apply(Map.of());
    int sent = 20_000;
    try (PacketSocket one = lab.tap("one");
        PacketSocket three = lab.tap("three")) {
      UdpProbe probe = lab.lab().probe("one", "two", InetAddress.getByName("10.0.0.2"));
      probe.awaitArrival(Eventually.LIMIT);
      Mark mark = Mark.of("storm");
      byte[] frame =
          Frames.udp(Ends.of(mac(1), "ff:ff:ff:ff:ff:ff"), "10.0.0.1", "10.0.0.255", mark);
      long begin = System.nanoTime();
      for (int i = 0; i < sent; i++) {
        one.send(frame);
      }
      Mark last = Mark.of("after the storm");
      byte[] good = Frames.udp(Ends.of(mac(1), mac(3)), "10.0.0.1", "10.0.0.3", last);
      three.await(last, () -> one.send(good), Eventually.LIMIT);
      double seconds = (System.nanoTime() - begin) / 1e9;
      assertThat(three.count(mark)).isLessThanOrEqualTo((long) (1_000 + 1_100 * seconds));
      assertThat(probe.stop().repeated()).isZero();
    }
    assertThat(lab.dropped(1)).isPositive();
  }
}
