package io.gatehouse.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Component;
import io.gatehouse.proto.v1.ComponentState;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.proto.v1.ResourceState;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class AckReporterTest {
  private static Health health(List<Problem> problems, List<Health.Component> components) {
    return new Health(
        9, 8, problems, components, List.of("bridge br0 []"), Map.of(0, 4), 9_000, 77);
  }

  @Test
  @DisplayName("F41: held and applied are two numbers")
  void everythingIsSaid() {
    Ack ack =
        AckReporter.ack(
            health(
                List.of(Problem.pending("a", "waits"), Problem.rejected("b", "is wrong")),
                List.of(
                    new Health.Component(Health.Part.OVSDB, Health.State.OK, ""),
                    new Health.Component(Health.Part.GUARD, Health.State.FAILED, "gone"))));
    assertThat(ack.getHeldRevision()).isEqualTo(9);
    assertThat(ack.getAppliedRevision()).isEqualTo(8);
    assertThat(ack.getApplyNanos()).isEqualTo(77);
    assertThat(ack.getUnderlayMtuBytes()).isEqualTo(9_000);
    assertThat(ack.getForeignObjectsList()).containsExactly("bridge br0 []");
    assertThat(ack.getProblemsList())
        .extracting(ResourceProblem::getState)
        .containsExactly(
            ResourceState.RESOURCE_STATE_PENDING, ResourceState.RESOURCE_STATE_REJECTED);
    assertThat(ack.getComponents(0).getState()).isEqualTo(ComponentState.COMPONENT_STATE_OK);
    assertThat(ack.getComponents(1).getComponent()).isEqualTo(Component.COMPONENT_GUARD);
    assertThat(ack.getComponents(1).getDetail()).isEqualTo("gone");
  }

  @Test
  void everyPartAndStateHasItsOwnWord() {
    for (Health.Part part : Health.Part.values()) {
      for (Health.State state : Health.State.values()) {
        Ack ack =
            AckReporter.ack(health(List.of(), List.of(new Health.Component(part, state, ""))));
        assertThat(ack.getComponents(0).getComponent().name()).endsWith(part.name());
        String word = state == Health.State.UNKNOWN ? "UNSPECIFIED" : state.name();
        assertThat(ack.getComponents(0).getState().name()).endsWith("STATE_" + word);
      }
    }
  }

  @Test
  void anAckHasBounds() {
    Problem longOne = Problem.rejected("n".repeat(300), "x".repeat(10_000));
    Ack ack = AckReporter.ack(health(Collections.nCopies(5_000, longOne), List.of()));
    assertThat(ack.getProblemsCount()).isEqualTo(1_000);
    assertThat(ack.getProblems(0).getReason()).hasSize(500).endsWith("…");
    assertThat(ack.getProblems(0).getName()).hasSize(200).endsWith("…");
  }
}
