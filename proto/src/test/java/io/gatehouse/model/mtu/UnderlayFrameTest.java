package io.gatehouse.model.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a switch must take, as it counts it. */
class UnderlayFrameTest {
  /** IEEE 802.3 3.2.7: 1518 for a basic frame, 1522 with a tag. */
  @Test
  void theStandardsOwnSizes() {
    assertThat(UnderlayFrame.neededBytes(1_500, 0)).isEqualTo(1_518);
    assertThat(UnderlayFrame.neededBytes(1_500, 1)).isEqualTo(1_522);
    assertThat(UnderlayFrame.neededBytes(9_000, 2)).isEqualTo(9_026);
  }
}
