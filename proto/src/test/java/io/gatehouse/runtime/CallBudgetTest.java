package io.gatehouse.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallBudgetTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
  private final CallBudget budget = new CallBudget(10, 20, 3, nanos::get);

  @Test
  void aFloodOfOneTenantTakesNothingFromAnother() {
    int flooded = 0;
    int calm = 0;
    for (int second = 0; second < 60; second++) {
      for (int call = 0; call < 1_000; call++) {
        flooded += budget.take("tenants/acme").isEmpty() ? 1 : 0;
        if (call % 100 == 0) {
          calm += budget.take("tenants/globex").isEmpty() ? 1 : 0;
        }
      }
      pass(Duration.ofSeconds(1));
    }
    assertThat(calm).as("calls of the other, all of them").isEqualTo(600);
    assertThat(flooded).as("a burst of 20 and 10 a second").isEqualTo(20 + 59 * 10);
  }

  @Test
  void whoIsRefusedIsToldWhenToCome() {
    for (int call = 0; call < 20; call++) {
      assertThat(budget.take("a")).isEmpty();
    }
    Duration pause = budget.take("a").orElseThrow();
    assertThat(pause).isEqualTo(Duration.ofMillis(100));
    pass(pause.minusNanos(1));
    assertThat(budget.isSpent("a")).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(budget.isSpent("a")).isFalse();
    assertThat(budget.take("a")).isEmpty();
    assertThat(budget.take("a")).isPresent();
  }

  @Test
  void aBucketIsNeverFullerThanFull() {
    budget.take("a");
    pass(Duration.ofDays(1));
    int taken = 0;
    while (budget.take("a").isEmpty()) {
      taken++;
    }
    assertThat(taken).isEqualTo(20);
  }

  @Test
  void onlySoManyPrincipalsAreRemembered() {
    for (int i = 0; i < 1_000; i++) {
      budget.take("stranger" + i);
    }
    assertThat(budget.size()).isEqualTo(3);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
