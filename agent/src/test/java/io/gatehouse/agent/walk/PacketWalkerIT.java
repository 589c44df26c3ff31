package io.gatehouse.agent.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.openflow.TracedBridge;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.CtState;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.RandomPackets;
import io.gatehouse.model.net.Cidr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The walker and the switch agree on what the plans of today do not use yet. */
final class PacketWalkerIT {
  private static final Set<Integer> PORTS = Set.of(1, 2, 3, 4, 5);
  private static final int IPV4 = 0x0800;
  private static final int TCP = 6;
  private static final int UDP = 17;

  private final List<Flow> flows = new ArrayList<>();

  private void add(
      int table, int priority, Match.Builder match, io.gatehouse.agent.flow.Action... actions) {
    flows.add(new Flow(table, priority, flows.size() + 1L, match.build(), List.of(actions)));
  }

  private static Match.Builder ip() {
    return Match.builder().ethType(IPV4);
  }

  private static Match.Builder rule() {
    return ip().metadata(5);
  }

  @Test
  void trackedConjunctiveMeteredPuntedAndFloodedPacketsGoWhereTheSwitchSends() throws Exception {
    classify();
    rules();
    forward();
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    try (TracedBridge bridge = TracedBridge.start()) {
      bridge.ports(PORTS, 1);
      bridge.vswitchd().ofctl("add-meter", "gh-int", "meter=3,kbps,band=type=drop,rate=1000");
      bridge.replaceFlows(flows);
      PacketWalker walker = new PacketWalker(new FlowTables(flows), new TreeSet<>(PORTS));
      RandomPackets packets = new RandomPackets(random, PORTS, 1, flows);
      Set<Flow> used = new HashSet<>();
      for (int i = 0; i < 2_000; i++) {
        Packet packet = packets.next();
        List<ConnectionState> states = List.of(state(random), state(random));
        Walked walked = walker.walk(packet, states);
        used.addAll(walked.used());
        assertThat(walked.unknown()).isEmpty();
        assertThat(TracedBridge.ports(walked))
            .as("seed %d: %s, %s", seed, packet, states)
            .isEqualTo(bridge.trace(packet, states));
      }
      assertThat(used).as("seed %d", seed).hasSizeGreaterThan(flows.size() / 2);
    }
  }

  private static ConnectionState state(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> ConnectionState.ESTABLISHED;
      case 1 -> ConnectionState.REPLY;
      case 2 -> ConnectionState.RELATED;
      case 3 -> ConnectionState.INVALID;
      default -> ConnectionState.NEW;
    };
  }

  private void classify() {
    for (int port = 2; port <= 5; port++) {
      add(
          0,
          100,
          ip().inPort(port),
          Actions.setReg(0, 100 + port % 2),
          Actions.setMetadata(5),
          Actions.setReg(6, 0x7_0000 + port),
          Actions.ct(Actions.zoneInReg(6), 31));
    }
    add(0, 90, Match.builder().inPort(2), Actions.meter(3), Actions.resubmit(50));
    add(0, 100, ip().inPort(1).tunId(100), Actions.setReg(0, 100), Actions.resubmit(50));
    add(
        31,
        100,
        ip().ctState(CtState.TRACKED | CtState.ESTABLISHED, CtState.TRACKED | CtState.ESTABLISHED),
        Actions.resubmit(50));
    add(31, 90, ip().ctState(CtState.RELATED, CtState.RELATED), Actions.resubmit(50));
    add(31, 110, ip().ctState(CtState.INVALID, CtState.INVALID));
    add(31, 80, ip(), Actions.resubmit(32), Actions.resubmit(33));
  }

  private void rules() {
    for (String cidr : List.of("10.0.0.0/24", "10.0.1.0/25", "10.0.2.7/32")) {
      add(32, 50, rule().ipDst(Cidr.parse(cidr)), Actions.conjunction(9, 1, 2));
    }
    add(32, 50, rule().ipProto(TCP).tcpDst(80), Actions.conjunction(9, 2, 2));
    add(
        32,
        50,
        rule().ipProto(TCP).field(Field.TCP_DST, Bits.of(0x1f80), Bits.of(0xfff0)),
        Actions.conjunction(9, 2, 2),
        Actions.conjunction(10, 1, 2));
    add(32, 50, rule().ipSrc(Cidr.parse("10.0.1.0/24")), Actions.conjunction(10, 2, 2));
    add(32, 40, rule().ipSrc(Cidr.parse("10.0.0.0/25")), Actions.conjunction(11, 1, 2));
    add(32, 40, rule().ipProto(UDP).udpDst(53), Actions.conjunction(11, 2, 2));
    for (int id = 9; id <= 11; id++) {
      add(32, id == 11 ? 40 : 50, rule().field(Field.CONJ_ID, Bits.of(id)), Actions.setReg(5, 1));
    }
    add(32, 60, rule().ipDst(Cidr.parse("10.0.0.128/28")), Actions.setReg(5, 0));
    add(
        33,
        50,
        ip().reg(5, 1),
        Actions.ctCommit(Actions.zoneInReg(6), Actions.setCtMark(3)),
        Actions.resubmit(50),
        Actions.controller(0, (byte) 1));
    add(33, 40, ip(), Actions.controller(0, (byte) 2));
  }

  private void forward() {
    add(50, 100, ip().ipDst(Cidr.parse("10.0.0.0/25")), Actions.ct(9, 71));
    add(
        50,
        90,
        ip().ipDst(Cidr.parse("10.0.1.0/24")),
        Actions.decTtl(),
        Actions.output(3),
        Actions.outputReg(6),
        Actions.outputReg(Field.REG6, 0, 16));
    add(50, 80, ip().ipDst(Cidr.parse("10.0.2.0/24")), Actions.output(Actions.ALL));
    add(
        50,
        70,
        ip(),
        Actions.move(Field.REG0, 0, Field.XXREG2, 96, 32),
        Actions.resubmit(60),
        Actions.output(9));
    add(60, 10, ip().reg(8, 100), Actions.output(2), Actions.inPort());
    add(60, 10, ip().reg(8, 101), Actions.output(4), Actions.ctClear(), Actions.resubmit(50));
    add(71, 10, ip().ctState(CtState.NEW, CtState.NEW), Actions.output(3), Actions.output(2));
    add(71, 10, ip().ctState(CtState.REPLY, CtState.REPLY), Actions.output(5));
  }
}
