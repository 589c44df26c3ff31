package io.gatehouse.control.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.runtime.CallBudget;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AddressLimitTest {
  private static final long REFILL_NANOS = AddressLimit.INTERVAL.toNanos();

  private final AtomicLong nanos = new AtomicLong();
  private final CallBudget budget = AddressLimit.budget(nanos::get);

  @Test
  void aFewAtOnceThenOneForEachRefill() {
    for (int i = 0; i < AddressLimit.BURST; i++) {
      assertThat(take("a", 0)).isTrue();
    }
    assertThat(take("a", 0)).isFalse();
    assertThat(take("b", 0)).as("another source").isTrue();
    assertThat(take("a", REFILL_NANOS - 1)).isFalse();
    assertThat(take("a", REFILL_NANOS)).isTrue();
    assertThat(take("a", REFILL_NANOS)).isFalse();
  }

  @Test
  void restGivesNoMoreThanTheBurst() {
    long later = 1_000 * REFILL_NANOS;
    assertThat(take("a", 0)).isTrue();
    for (int i = 0; i < AddressLimit.BURST; i++) {
      assertThat(take("a", later)).isTrue();
    }
    assertThat(take("a", later)).isFalse();
  }

  @Test
  void onlyTheLatestAddressesAreRemembered() {
    for (int i = 0; i < 3 * AddressLimit.REMEMBERED; i++) {
      assertThat(take("address" + i, 0)).isTrue();
    }
    assertThat(budget.size()).isEqualTo(AddressLimit.REMEMBERED);
  }

  private boolean take(String address, long atNanos) {
    nanos.set(atNanos);
    return budget.take(address).isEmpty();
  }
}
