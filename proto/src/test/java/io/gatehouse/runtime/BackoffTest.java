package io.gatehouse.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));

  @Test
  void staysInTheUpperHalfOfAStepThatDoublesUpToTheCap() {
    long seed = 20_260_801;
    SplittableRandom random = new SplittableRandom(seed);
    for (int attempt = 0; attempt < 200; attempt++) {
      long step = Math.min(100L << Math.min(attempt, 20), 30_000);
      assertThat(BACKOFF.delay(attempt, random))
          .as("seed %d attempt %d", seed, attempt)
          .isBetween(Duration.ofMillis(step / 2), Duration.ofMillis(step));
    }
  }

  @Test
  void survivesTheLargestAttempt() {
    assertThat(BACKOFF.delay(Integer.MAX_VALUE, new SplittableRandom(1)))
        .isLessThanOrEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void refusesWhatMakesNoSense() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, second))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(second, Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BACKOFF.delay(-1, new SplittableRandom(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
