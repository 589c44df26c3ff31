package io.gatehouse.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.runtime.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PauseTest {
  private static final Backoff BACKOFF = new Backoff(Duration.ofNanos(100), Duration.ofNanos(400));

  private long now = Long.MAX_VALUE - 50;

  /** Without chance each pause has its full length. */
  private final Pause pause = new Pause(() -> 0, () -> now);

  private void assertLasts(long nanos) {
    pause.after(BACKOFF);
    now += nanos - 1;
    assertThat(pause.isOver()).isFalse();
    now += 1;
    assertThat(pause.isOver()).isTrue();
  }

  @Test
  void eachIsLongerAndTheMonotonicClockMayOverflow() {
    assertThat(pause.isOver()).isTrue();
    assertLasts(100);
    assertLasts(200);
    assertLasts(400);
    assertLasts(400);
  }

  @Test
  void afterAResetItIsShortAgain() {
    assertLasts(100);
    pause.after(BACKOFF);
    pause.reset();
    assertThat(pause.isOver()).isTrue();
    assertLasts(100);
  }
}
