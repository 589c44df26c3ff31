package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** What the agent's metrics go on saying. */
class AgentMetricsTest {
  @Test
  void aGaugeOutlivesACollectionOfGarbage() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    AgentMetrics metrics = new AgentMetrics(registry);
    metrics.syncAge(reading());
    metrics.certificateExpiry(reading());
    metrics.proofAge(reading());
    collectGarbage();
    for (String name :
        new String[] {
          "gatehouse.agent.sync.age",
          "gatehouse.certificate.expiry",
          "gatehouse.isolation.proof.age"
        }) {
      assertThat(registry.get(name).gauge().value()).as(name).isEqualTo(5);
    }
  }

  /** An object that nobody else holds. */
  private static DoubleSupplier reading() {
    double[] value = {5};
    return () -> value[0];
  }

  private static void collectGarbage() {
    WeakReference<Object> witness = new WeakReference<>(new Object());
    while (witness.get() != null) {
      System.gc();
    }
  }
}
