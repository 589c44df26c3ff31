package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.policy.PolicyResource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole plans against files. {@code mvn -pl agent -am test -Dtest=GoldenPlanTest
 * -Dgatehouse.golden=write} writes them anew; the difference is then for a person to read.
 */
final class GoldenPlanTest {
  private static final boolean WRITE = "write".equals(System.getProperty("gatehouse.golden"));
  private static final int SHUFFLES = 5;

  static List<Scenario> scenarios() throws IOException {
    return Scenario.all();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void planIsAsWritten(Scenario scenario) throws IOException {
    String text = PlanText.of(scenario.plan());
    if (WRITE) {
      Files.writeString(scenario.expected(), text);
    }
    assertThat(text).isEqualTo(Files.readString(scenario.expected()));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("F33: the order in which resources come does not matter")
  void planDoesNotDependOnOrder(Scenario scenario) {
    Plan plan = scenario.plan();
    List<PolicyResource> resources = new ArrayList<>(scenario.resources());
    for (int seed = 0; seed < SHUFFLES; seed++) {
      Collections.shuffle(resources, new Random(seed));
      Policy shuffled = Policy.of(scenario.stored().getRevision(), resources);
      assertThat(PolicyPlanner.plan(shuffled, scenario.facts(), scenario.site(), FlowPlan.EMPTY))
          .as("seed %d", seed)
          .isEqualTo(plan);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void planDoesNotDependOnThePlanBefore(Scenario scenario) throws IOException {
    Plan plan = scenario.plan();
    for (Scenario earlier : Scenario.all()) {
      assertThat(
              PolicyPlanner.plan(
                  scenario.policy(), scenario.facts(), scenario.site(), earlier.plan().flows()))
          .as("after %s", earlier)
          .isEqualTo(plan);
    }
  }

  @Test
  @DisplayName("F29: tenants with the same addresses share no flow but the pipeline's own")
  void tenantsShareNoFlow() throws IOException {
    Plan plan = Scenario.named("same-addresses").plan();
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.flows().fragments().values())
        .filteredOn(fragment -> fragment.owner().startsWith("tenants/"))
        .hasSize(6);
  }

  @Test
  @DisplayName("F28: a port without IPv6 addresses may send no IPv6")
  void noIpv6FromAPortWithoutIt() throws IOException {
    assertThat(Files.readString(Scenario.named("v4-only").expected()).lines())
        .filteredOn(line -> line.contains("in_port=") && line.contains("ipv6"))
        .isEmpty();
  }
}
