package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A peering that contradicts something is closed, and so are the ports that only it leads to. */
final class PeeringCheckerTest {
  private static final PolicyResource NETWORK = Policies.network("a/n", 100, "10.0.0.0/24");
  private static final PolicyResource PEER_HERE = Policies.network("b/n", 200, "10.1.0.0/24");
  private static final PeeringPolicy PEERING = Policies.peering("a/n/p", "b/n", 200, "10.1.0.0/24");
  private static final PeeringPolicy ANSWER =
      Policies.peering("b/n/back", "a/n", 100, "10.0.0.0/24");

  private static List<String> check(PolicyResource... resources) {
    List<PolicyResource> all = new ArrayList<>(List.of(resources));
    all.add(Policies.vtep("dpu-1", "192.0.2.2"));
    return PolicyChecker.check(Policy.of(1, all), RandomPolicies.SITE).stream()
        .peek(problem -> assertThat(problem.kind()).isEqualTo(Problem.Kind.REJECTED))
        .map(problem -> problem.resource() + ": " + problem.reason())
        .toList();
  }

  @Test
  void soundPeeringsHaveNoProblems() {
    assertThat(check(NETWORK, PEERING)).isEmpty();
    assertThat(check(NETWORK, PEER_HERE, PEERING, ANSWER)).isEmpty();
    assertThat(check(NETWORK, PEERING, Policies.peering("a/n/q", "c/n", 300, "10.2.0.0/24")))
        .isEmpty();
  }

  @Test
  void aPortOfThePeerNeedsThePeering() {
    PolicyResource port = Policies.remotePort("b/n/p", "dpu-1", "02:00:00:00:00:01", "10.1.0.1");
    assertThat(check(NETWORK, PEERING, port)).isEmpty();
    assertThat(check(NETWORK, port))
        .containsExactly(
            "tenants/b/networks/n/ports/p: its network tenants/b/networks/n is not applied here");
    PolicyResource local = Policies.localPort("b/n/l", "f0", "02:00:00:00:00:02", "10.1.0.2");
    assertThat(check(NETWORK, PEERING, local)).as("a port here needs its network").hasSize(1);
  }

  @Test
  void itsNetworkMustBeHere() {
    assertThat(check(PEERING))
        .containsExactly(
            "tenants/a/networks/n/peerings/p: its network tenants/a/networks/n is not applied"
                + " here");
  }

  @Test
  void prefixesDoNotOverlap() {
    PolicyResource wide = Policies.peering("a/n/p", "b/n", 200, "10.0.0.0/8");
    assertThat(check(NETWORK, wide))
        .containsExactly(
            "tenants/a/networks/n/peerings/p: its peer's 10.0.0.0/8 overlaps 10.0.0.0/24 of"
                + " tenants/a/networks/n");
    assertThat(check(NETWORK, PEERING, Policies.peering("a/n/q", "c/n", 300, "10.1.0.128/25")))
        .containsExactly(
            "tenants/a/networks/n/peerings/q: its peer's 10.1.0.128/25 overlaps 10.1.0.0/24 of"
                + " tenants/a/networks/n/peerings/p");
    assertThat(check(NETWORK, PEERING, Policies.network("a/other", 400, "10.1.0.0/16")))
        .as("another network of the tenant is of no matter: its hosts are not this one's")
        .isEmpty();
    assertThat(check(NETWORK, PEERING, Policies.network("c/n", 400, "10.1.0.0/16")))
        .as("another tenant's network is of no matter")
        .isEmpty();
  }

  @Test
  void oneNetworkIsAPeerOnceAndHasOneVni() {
    assertThat(check(NETWORK, PEERING, Policies.peering("a/n/q", "b/n", 200, "10.3.0.0/24")))
        .containsExactly(
            "tenants/a/networks/n/peerings/q: tenants/b/networks/n is already that of"
                + " tenants/a/networks/n/peerings/p");
    assertThat(check(NETWORK, Policies.peering("a/n/p", "b/n", 100, "10.1.0.0/24")))
        .containsExactly(
            "tenants/a/networks/n/peerings/p: VNI 100 is already that of tenants/a/networks/n");
    assertThat(
            check(NETWORK, PEER_HERE, Policies.peering("a/n/p", "b/n", 201, "10.1.0.0/24"), ANSWER))
        .containsExactly(
            "tenants/a/networks/n/peerings/p: VNI 201 is not that of its peer, which has 200",
            "tenants/b/networks/n/peerings/back: its peer tenants/a/networks/n has no peering that"
                + " answers it");
  }

  @Test
  void aPeerThatIsHereMustHaveAgreedHere() {
    assertThat(check(NETWORK, PEER_HERE, PEERING))
        .containsExactly(
            "tenants/a/networks/n/peerings/p: its peer tenants/b/networks/n has no peering that"
                + " answers it");
  }
}
