package io.gatehouse.control.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressBudgetTest {
  private final AddressBudget budget = new AddressBudget();

  @Test
  void aFewAtOnceThenOneForEachRefill() {
    for (int i = 0; i < AddressBudget.BURST; i++) {
      assertThat(budget.take("a", 0)).isTrue();
    }
    assertThat(budget.take("a", 0)).isFalse();
    assertThat(budget.take("b", 0)).as("another source").isTrue();
    assertThat(budget.take("a", AddressBudget.REFILL_NANOS - 1)).isFalse();
    assertThat(budget.take("a", AddressBudget.REFILL_NANOS)).isTrue();
    assertThat(budget.take("a", AddressBudget.REFILL_NANOS)).isFalse();
  }

  @Test
  void restGivesNoMoreThanTheBurst() {
    long later = 1_000 * AddressBudget.REFILL_NANOS;
    assertThat(budget.take("a", 0)).isTrue();
    for (int i = 0; i < AddressBudget.BURST; i++) {
      assertThat(budget.take("a", later)).isTrue();
    }
    assertThat(budget.take("a", later)).isFalse();
  }

  @Test
  void onlyTheLatestAddressesAreRemembered() {
    for (int i = 0; i < 3 * AddressBudget.REMEMBERED; i++) {
      assertThat(budget.take("address" + i, 0)).isTrue();
    }
    assertThat(budget.remembered()).isEqualTo(AddressBudget.REMEMBERED);
  }
}
