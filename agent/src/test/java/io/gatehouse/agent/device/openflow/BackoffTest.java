package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {

  @Test
  void doublesToTheCapAndStartsAnew() {
    Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(350), () -> 0);

    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(50));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(100));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(175));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(175));
    backoff.reset();
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void jitterSpreadsOverHalfOfThePause() {
    Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), () -> 0.5);

    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(75));
  }
}
