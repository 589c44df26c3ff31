package io.gatehouse.agent.observe.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.underlay.Representors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which device of a port is the smallest, and how many are too small. */
class RepresentorSizesTest {
  private static final Policy POLICY =
      Policy.of(
          1,
          List.of(
              Policies.network("a/n", 7, "10.0.0.0/24"),
              Policies.localPort("a/n/one", "f0", "02:00:00:00:00:01", "10.0.0.1"),
              Policies.localPort("a/n/two", "f1", "02:00:00:00:00:02", "10.0.0.2"),
              Policies.localPort("a/n/three", "f2", "02:00:00:00:00:03", "10.0.0.3")));

  private static Facts facts(Map<String, Integer> mtus) {
    return new Facts(
        Map.of("f0", "rep0", "f1", "rep1", "f2", "rep2"),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        mtus,
        Optional.empty());
  }

  private static String port(String name) {
    return "tenants/a/networks/n/ports/" + name;
  }

  @Test
  void theSmallestIsNamedAndThoseTooSmallAreCounted() {
    assertThat(RepresentorSizes.of(POLICY, facts(Map.of("rep0", 9_216, "rep1", 1_450))))
        .as("as large as it must be")
        .isEqualTo(new Representors(port("two"), "rep1", 1_450, 1_450, 0));
    assertThat(
            RepresentorSizes.of(
                POLICY, facts(Map.of("rep0", 1_449, "rep1", 1_400, "rep2", 1_450, "other", 1))))
        .isEqualTo(new Representors(port("two"), "rep1", 1_400, 1_450, 2));
  }

  @Test
  void whatIsNotKnownIsNotSmall() {
    assertThat(RepresentorSizes.of(POLICY, facts(Map.of()))).isEqualTo(Representors.NONE);
    assertThat(RepresentorSizes.of(Policy.NONE, facts(Map.of("rep0", 100))))
        .isEqualTo(Representors.NONE);
  }
}
