package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.openflow.TracedBridge;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.walk.FlowTables;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.agent.walk.PacketWalker;
import io.gatehouse.agent.walk.Walked;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The packet walker says what the switch says, for packets made by chance and the flows of every
 * scenario. That is what makes a proof by the walker worth something.
 */
final class WalkedPlanIT {
  private static final int PACKETS = 400;

  /** Bytes: more than any network carries. */
  private static final int LARGE = 0xffff;

  @Test
  void theWalkerAgreesWithTheSwitchOnEveryPlan() throws Exception {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    try (TracedBridge bridge = TracedBridge.start()) {
      for (Scenario scenario : Scenario.all()) {
        agree(bridge, scenario, random, seed);
      }
    }
  }

  private static void agree(
      TracedBridge bridge, Scenario scenario, SplittableRandom random, long seed) throws Exception {
    Set<Integer> ports = new TreeSet<>(scenario.facts().openFlowPorts().values());
    int tunnel = scenario.facts().tunnelPort().orElse(-1);
    List<Flow> flows = scenario.plan().flows().flows();
    bridge.ports(ports, tunnel);
    bridge.meters(scenario.plan().flows());
    bridge.replaceFlows(flows);
    PacketWalker walker = new PacketWalker(new FlowTables(flows), new TreeSet<>(ports));
    RandomPackets packets = new RandomPackets(random, ports, tunnel, flows);
    Set<Flow> used = new HashSet<>();
    int delivered = 0;
    for (int i = 0; i < PACKETS; i++) {
      Packet packet = packets.next();
      Walked walked = walker.walk(packet, List.of());
      used.addAll(walked.used());
      delivered += walked.deliveries().size();
      // A trace shows both branches of a check of the size.
      Set<Integer> walkedTo = new TreeSet<>(TracedBridge.ports(walked));
      Walked large = walker.walk(packet.ofLength(LARGE), List.of());
      walkedTo.addAll(TracedBridge.ports(large));
      used.addAll(large.used());
      assertThat(walkedTo)
          .as("seed %d, %s: %s", seed, scenario, packet)
          .isEqualTo(new TreeSet<>(bridge.trace(packet, List.of())));
    }
    assertThat(used).as("seed %d: flows of %s that packets met", seed, scenario).isNotEmpty();
    System.out.printf(
        "%s: %d packets, %d deliveries, %d of %d flows used%n",
        scenario, PACKETS, delivered, used.size(), flows.size());
  }
}
