package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.plan.PacketWalker.Delivery;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.AddressPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A network with a peering with another one that has no port here, and a third one without; the
 * third has a peering with the peer too, elsewhere.
 */
final class PeeringPlannerTest {
  private static final int TUNNEL = 1;
  private static final int HOST = 2;
  private static final int STRANGER = 3;
  private static final MacAddress MINE = MacAddress.parse("02:00:00:00:00:01");
  private static final MacAddress THEIRS = MacAddress.parse("02:00:00:00:00:09");
  private static final IpAddress FROM = IpAddress.parse("10.0.0.1");
  private static final IpAddress TO = IpAddress.parse("10.1.0.9");
  private static final IpAddress TO_V6 = IpAddress.parse("fd01::9");
  private static final IpAddress PEERS_DPU = IpAddress.parse("192.0.2.2");
  private static final IpAddress OTHER_DPU = IpAddress.parse("192.0.2.3");

  private static final PeeringPolicy PEERING =
      Policies.peering("a/n/to-b", "b/n", 200, "10.1.0.0/24", "fd01::/64");
  private static final List<PolicyResource> APART =
      List.of(
          Policies.vtep("dpu-1", PEERS_DPU.toString()),
          Policies.vtep("dpu-2", OTHER_DPU.toString()),
          Policies.network("a/n", 100, "10.0.0.0/24", "fd00::/64"),
          Policies.paired(
              Policies.localPort("a/n/p", "f0", MINE.toString(), FROM.toString(), "fd00::1"),
              new AddressPair(Cidr.parse("10.9.0.0/16"), Optional.empty())),
          Policies.network("c/n", 300, "10.2.0.0/24"),
          Policies.localPort("c/n/p", "f1", MINE.toString(), "10.2.0.1"));
  private static final List<PolicyResource> PEERS = peers();

  private static List<PolicyResource> peers() {
    List<PolicyResource> peers = new ArrayList<>(APART);
    peers.add(PEERING);
    peers.add(
        Policies.remotePort("b/n/p", "dpu-1", THEIRS.toString(), TO.toString(), TO_V6.toString()));
    return peers;
  }

  private static Plan plan(List<PolicyResource> resources, FlowPlan previous) {
    Facts facts =
        new Facts(
            Map.of("f0", "rep0", "f1", "rep1"),
            Map.of(Site.TUNNEL_PORT, TUNNEL, "rep0", HOST, "rep1", STRANGER),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Optional.empty());
    return PolicyPlanner.plan(Policy.of(1, resources), facts, RandomPolicies.SITE, previous);
  }

  private static List<Delivery> walk(Packet packet) {
    Plan plan = plan(PEERS, FlowPlan.EMPTY);
    assertThat(plan.problems()).isEmpty();
    return new PacketWalker(plan.flows()).walk(packet);
  }

  private static Packet packet(MacAddress to, IpAddress source, IpAddress destination) {
    return Packet.ip(HOST, MINE, to, source)
        .with(destination.isV4() ? Field.IP_DST : Field.IPV6_DST, Packet.bits(destination));
  }

  private static Packet routed() {
    return packet(RouterIdentity.MAC, FROM, TO);
  }

  @Test
  void aPacketToTheRouterGoesToThePeersPortWithOneHopLess() {
    List<Delivery> deliveries = walk(routed());

    assertThat(deliveries).hasSize(1);
    Delivery sent = deliveries.get(0);
    assertThat(sent.port()).isEqualTo(TUNNEL);
    assertThat(sent.get(Field.TUN_ID)).isEqualTo(Bits.of(200));
    assertThat(sent.get(Field.TUN_DST)).isEqualTo(Packet.bits(PEERS_DPU));
    assertThat(sent.get(Field.ETH_SRC)).isEqualTo(Bits.of(RouterIdentity.MAC.bits()));
    assertThat(sent.get(Field.ETH_DST)).isEqualTo(Bits.of(THEIRS.bits()));
    assertThat(sent.get(Field.NW_TTL)).isEqualTo(Bits.of(63));
    assertThat(walk(packet(RouterIdentity.MAC, IpAddress.parse("fd00::1"), TO_V6))).hasSize(1);
  }

  @Test
  void whatHasNoHopLeftIsGone() {
    assertThat(walk(routed().with(Field.NW_TTL, Bits.of(2)))).hasSize(1);
    assertThat(walk(routed().with(Field.NW_TTL, Bits.of(1)))).isEmpty();
    assertThat(walk(routed().with(Field.NW_TTL, Bits.ZERO))).isEmpty();
  }

  @Test
  void nothingElseCrosses() {
    assertThat(walk(packet(THEIRS, FROM, TO))).as("the peer's own MAC address").isEmpty();
    assertThat(walk(packet(MacAddress.BROADCAST, FROM, TO))).as("a broadcast").isEmpty();
    assertThat(walk(packet(RouterIdentity.MAC, FROM, IpAddress.parse("10.1.0.8"))))
        .as("an address that nobody has")
        .isEmpty();
    assertThat(walk(packet(RouterIdentity.MAC, IpAddress.parse("10.9.0.1"), TO)))
        .as("from a pair outside the prefix")
        .isEmpty();
    assertThat(walk(packet(RouterIdentity.MAC, MINE.linkLocal(), TO_V6)))
        .as("from a link-local address")
        .isEmpty();
    assertThat(
            walk(
                packet(RouterIdentity.MAC, IpAddress.parse("fd00::1"), TO_V6)
                    .with(Field.IP_PROTO, Bits.of(Protocols.ICMPV6))
                    .with(Field.ICMPV6_TYPE, Bits.of(Protocols.NEIGHBOUR_ADVERTISEMENT))
                    .with(Field.ND_TARGET, Packet.bits(IpAddress.parse("fd00::1")))))
        .as("neighbour discovery")
        .isEmpty();
    assertThat(walk(routed().with(Field.ETH_SRC, Bits.of(RouterIdentity.MAC.bits()))))
        .as("as the router")
        .isEmpty();
  }

  @Test
  void aNetworkWithoutThePeeringReachesNobody() {
    Packet packet =
        Packet.ip(STRANGER, MINE, RouterIdentity.MAC, IpAddress.parse("10.2.0.1"))
            .with(Field.IP_DST, Packet.bits(TO));
    assertThat(walk(packet)).isEmpty();
    assertThat(walk(packet.with(Field.IP_DST, Packet.bits(FROM)))).isEmpty();
  }

  @Test
  void theRouterAnswersForPortsOfPeersAndForNoOtherAddress() {
    List<Delivery> answers = walk(Packet.question(HOST, MINE, FROM, TO));
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0).port()).isEqualTo(HOST);
    assertThat(answers.get(0).get(Field.ARP_SHA)).isEqualTo(Bits.of(RouterIdentity.MAC.bits()));
    assertThat(walk(Packet.question(HOST, MINE, IpAddress.parse("fd00::1"), TO_V6)))
        .extracting(answer -> answer.get(Field.ND_TLL))
        .containsExactly(Bits.of(RouterIdentity.MAC.bits()));

    assertThat(walk(Packet.question(HOST, MINE, FROM, IpAddress.parse("10.1.0.8")))).isEmpty();
    assertThat(walk(Packet.question(STRANGER, MINE, IpAddress.parse("10.2.0.1"), TO))).isEmpty();
  }

  private static Packet fromTunnel(IpAddress vtep, MacAddress from, MacAddress to, IpAddress as) {
    return Packet.ip(TUNNEL, from, to, as)
        .with(Field.IP_DST, Packet.bits(FROM))
        .tunnelled(100, vtep);
  }

  @Test
  void fromADpuOfThePeerOnlyWhatItsRouterSendsToOneIsTaken() {
    assertThat(walk(fromTunnel(PEERS_DPU, RouterIdentity.MAC, MINE, TO)))
        .extracting(Delivery::port)
        .containsExactly(HOST);

    assertThat(walk(fromTunnel(PEERS_DPU, THEIRS, MINE, TO))).as("not routed").isEmpty();
    assertThat(walk(fromTunnel(PEERS_DPU, RouterIdentity.MAC, MacAddress.BROADCAST, TO)))
        .as("to all")
        .isEmpty();
    assertThat(walk(fromTunnel(PEERS_DPU, RouterIdentity.MAC, MINE, IpAddress.parse("10.0.0.7"))))
        .as("from the network's own prefix")
        .isEmpty();
    assertThat(walk(fromTunnel(OTHER_DPU, RouterIdentity.MAC, MINE, TO)))
        .as("from a DPU without a port of the peer")
        .isEmpty();
  }

  @Test
  void theDpuOfAPeerGetsNoBroadcastOfTheNetwork() {
    assertThat(walk(packet(MacAddress.BROADCAST, FROM, IpAddress.parse("255.255.255.255"))))
        .isEmpty();
  }

  @Test
  void whenThePeeringEndsNothingOfItIsLeft() {
    FlowPlan before = plan(PEERS, FlowPlan.EMPTY).flows();
    assertThat(before.flows()).hasSizeGreaterThan(plan(APART, before).flows().flows().size());
    assertThat(plan(APART, before)).isEqualTo(plan(APART, FlowPlan.EMPTY));

    List<PolicyResource> withoutPeering = new ArrayList<>(PEERS);
    withoutPeering.remove(PEERING);
    Plan after = plan(withoutPeering, before);
    assertThat(after.flows().flows())
        .as("the peer's port may linger in the policy")
        .containsExactlyInAnyOrderElementsOf(plan(APART, FlowPlan.EMPTY).flows().flows());
  }

  @Test
  void aChangeOfOnePeersPortPlansOneFragment() {
    FlowPlan before = plan(PEERS, FlowPlan.EMPTY).flows();
    List<PolicyResource> more = new ArrayList<>(PEERS);
    more.add(Policies.remotePort("b/n/q", "dpu-1", "02:00:00:00:00:0a", "10.1.0.10"));
    FlowPlan after = plan(more, before).flows();

    assertThat(after.fragments()).hasSize(before.fragments().size() + 1);
    before
        .fragments()
        .forEach(
            (cookie, fragment) -> assertThat(after.fragments().get(cookie)).isSameAs(fragment));
  }
}
