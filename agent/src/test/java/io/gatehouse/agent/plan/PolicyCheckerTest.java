package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.planned.PortPlan;
import io.gatehouse.model.policy.PolicyResource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Of two resources that contradict each other the later one is closed, and nothing else. */
final class PolicyCheckerTest {
  private static final String MAC_1 = "02:00:00:00:00:01";
  private static final String MAC_2 = "02:00:00:00:00:02";

  private static List<Problem> check(PolicyResource... resources) {
    return PolicyChecker.check(Policy.of(1, Arrays.asList(resources)), RandomPolicies.SITE);
  }

  private static String port(String name) {
    return Policies.portName(name).toString();
  }

  @Test
  void aSoundPolicyHasNoProblems() {
    assertThat(
            check(
                Policies.vtep("dpu-0", "192.0.2.1"),
                Policies.vtep("dpu-1", "192.0.2.2"),
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.network("b/n", 2, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1"),
                Policies.localPort("b/n/p", "f1", MAC_1, "10.0.0.1"),
                Policies.remotePort("a/n/q", "dpu-1", MAC_2, "10.0.0.2")))
        .isEmpty();
  }

  @Test
  @DisplayName("F32: a MAC address twice in one network")
  void macTwice() {
    assertThat(
            check(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1"),
                Policies.localPort("a/n/q", "f1", MAC_1, "10.0.0.2")))
        .containsExactly(
            Problem.rejected(port("a/n/q"), MAC_1 + " is already that of " + port("a/n/p")));
  }

  @Test
  @DisplayName("F32: an IP address twice, here and on another DPU")
  void addressTwice() {
    assertThat(
            check(
                Policies.vtep("dpu-1", "192.0.2.2"),
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.remotePort("a/n/a", "dpu-1", MAC_2, "10.0.0.1"),
                Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1")))
        .as("the port that is here keeps its address")
        .containsExactly(
            Problem.rejected(port("a/n/a"), "10.0.0.1 is already that of " + port("a/n/p")));
  }

  @Test
  void anAddressThatAnotherMakesOfItsMac() {
    assertThat(
            check(
                Policies.network("a/n", 1, "fd00::/64"),
                Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "fd00::1"),
                Policies.localPort("a/n/q", "f1", "02:00:00:00:00:02", "fe80::ff:fe00:1")))
        .containsExactly(
            Problem.rejected(port("a/n/q"), "fe80::ff:fe00:1 is already that of " + port("a/n/p")));
  }

  @Test
  void theAddressesOfTheDpu() {
    assertThat(
            check(
                Policies.network("a/n", 1, "10.0.0.0/24", "fd00::/64"),
                Policies.localPort("a/n/p", "f0", "02:67:68:00:00:01", "10.0.0.1"),
                Policies.localPort("a/n/q", "f1", "02:00:00:00:00:02", "169.254.0.1"),
                Policies.localPort("a/n/r", "f2", "02:00:00:00:00:03", "fe80::67:68ff:fe00:1")))
        .hasSize(3)
        .allMatch(problem -> problem.reason().contains("is that of the DPU"));
  }

  @Test
  @DisplayName("F32: the refused one's other addresses stay free")
  void aRefusedPortClaimsNothing() {
    assertThat(
            check(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1"),
                Policies.localPort("a/n/q", "f1", MAC_1, "10.0.0.2"),
                Policies.localPort("a/n/r", "f2", MAC_2, "10.0.0.2")))
        .extracting(Problem::resource)
        .containsExactly(port("a/n/q"));
  }

  @Test
  @DisplayName("F32: a function twice")
  void functionTwice() {
    assertThat(
            check(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.network("b/n", 2, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1"),
                Policies.localPort("b/n/p", "f0", MAC_1, "10.0.0.1")))
        .containsExactly(
            Problem.rejected(port("b/n/p"), "function f0 is already that of " + port("a/n/p")));
  }

  @Test
  @DisplayName("F32: two names of one function")
  void deviceTwice() {
    Policy policy =
        Policy.of(
            1,
            List.of(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "pf0vf0", MAC_1, "10.0.0.1"),
                Policies.localPort("a/n/q", "0000:03:00.0/pf0vf0", MAC_2, "10.0.0.2")));
    Facts facts =
        Facts.of(Map.of("pf0vf0", "rep0", "0000:03:00.0/pf0vf0", "rep0"), Map.of("rep0", 2));
    Plan plan = PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, FlowPlan.EMPTY);
    assertThat(plan.problems())
        .containsExactly(
            Problem.rejected(port("a/n/q"), "device rep0 is already that of " + port("a/n/p")));
    assertThat(plan.bridge().ports().values())
        .filteredOn(port -> port.device().equals("rep0"))
        .extracting(PortPlan::owner)
        .containsExactly(port("a/n/p"));
  }

  @Test
  @DisplayName("F29: a VNI twice closes the later network with its ports, and no other")
  void vniTwice() {
    assertThat(
            check(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.network("b/n", 1, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1"),
                Policies.localPort("b/n/p", "f1", MAC_1, "10.0.0.1")))
        .extracting(Problem::resource)
        .containsExactly(Policies.networkName("b/n").toString(), port("b/n/p"));
  }

  @Test
  void networkMissing() {
    assertThat(check(Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1")))
        .containsExactly(
            Problem.rejected(
                port("a/n/p"), "its network tenants/a/networks/n is not applied here"));
  }

  @Test
  void vtepUnknown() {
    assertThat(
            check(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.remotePort("a/n/p", "dpu-1", MAC_1, "10.0.0.1")))
        .containsExactly(
            Problem.rejected(
                port("a/n/p"), "no VTEP address of dpus/dpu-1 is known that can be used"));
  }

  @Test
  void vtepIsNotTheConfiguredOne() {
    assertThat(check(Policies.vtep("dpu-0", "192.0.2.77")))
        .extracting(Problem::reason)
        .containsExactly(
            "the control plane has VTEP address 192.0.2.77, this DPU is configured with "
                + "192.0.2.1");
  }

  @Test
  @DisplayName("a VTEP of the other address family: the switch would send its copies elsewhere")
  void vtepOfTheOtherFamily() {
    assertThat(
            check(
                Policies.vtep("dpu-1", "2001:db8::1"),
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.remotePort("a/n/p", "dpu-1", MAC_1, "10.0.0.1")))
        .extracting(Problem::resource)
        .containsExactly("dpus/dpu-1", port("a/n/p"));
  }

  @Test
  void aDisabledPortKeepsWhatItHas() {
    Site site = RandomPolicies.SITE;
    Policy policy =
        Policy.of(
            1,
            List.of(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.disabled(Policies.localPort("a/n/p", "f0", MAC_1, "10.0.0.1")),
                Policies.localPort("a/n/q", "f1", MAC_1, "10.0.0.1")));
    assertThat(PolicyChecker.check(policy, site))
        .extracting(Problem::resource)
        .containsExactly(port("a/n/q"));
  }
}
