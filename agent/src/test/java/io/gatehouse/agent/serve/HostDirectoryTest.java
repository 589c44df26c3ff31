package io.gatehouse.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.dhcp.HostTerms;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A host is told of what is in force, and of nothing else. */
final class HostDirectoryTest {
  private static final PeeringPolicy SOUND =
      Policies.peering("a/n/sound", "b/n", 200, "10.1.0.0/24");
  private static final PeeringPolicy REFUSED =
      Policies.peering("a/n/wide", "c/n", 300, "10.0.0.0/8");

  @Test
  void aPeeringThatIsClosedIsNotTold() {
    Policy policy =
        Policy.of(
            1,
            List.of(
                Policies.network("a/n", 100, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"),
                SOUND,
                REFUSED));
    Facts facts = Facts.of(Map.of("f0", "rep0"), Map.of("rep0", 2));

    HostDirectory directory =
        HostDirectory.of(
            PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, FlowPlan.EMPTY), policy, facts);

    assertThat(directory.at(2).map(HostTerms::peerings)).contains(List.of(SOUND));
  }
}
