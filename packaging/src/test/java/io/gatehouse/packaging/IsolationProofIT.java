package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two tenants with the same prefixes: the proof of the running fleet, and a hand that opens it. */
@ExtendWith(SharedFleet.class)
final class IsolationProofIT {
  private static final String LEAK = "priority=500,in_port=pf0vf0,actions=output:pf0vf1";

  private final Fleet fleet;

  IsolationProofIT(Fleet fleet) {
    this.fleet = fleet;
  }

  @Test
  void theFleetIsProvedToBeIsolated() {
    fleet.awaitHealthy();
    String proof = fleet.lab().gatehouse("isolation", "verify");
    assertThat(proof)
        .contains("dpus/dpu1: revision", "dpus/dpu2: revision", "dpus/dpu3: revision")
        .contains("OTHER_TENANT", "TUNNEL", "UNKNOWN_VTEP", "SPOOFED_ARP")
        .doesNotContain("not complete")
        .doesNotContain("lost,");
    assertThat(fleet.lab().gatehouse("isolation", "verify", "--tenant", "acme"))
        .contains("SAME_NETWORK");
    Eventually.holds(
        "the control plane holds each DPU's newest proof",
        () -> fleet.lab().gatehouse("isolation", "show").split("evidence", -1).length > Fleet.DPUS);
  }

  @Test
  void aLeakMadeByHandIsNamedAndRepaired() {
    fleet.awaitHealthy();
    fleet.ofctl(1, "add-flow", "gh-int", LEAK);
    Eventually.holds(
        "the flow is named in a proof, and gone",
        () -> {
          String shown = fleet.lab().gatehouse("isolation", "show", "--dpu", "dpu1");
          return shown.contains("leak (repaired)")
              && shown.contains("table=0,priority=500,cookie=0x0,in_port=")
              && fleet.flows(1).stream().noneMatch(flow -> flow.contains("priority=500"));
        });
    assertThat(fleet.lab().exec("dpu1", "gatehouse-agent", "prove")).contains("evidence");
  }
}
