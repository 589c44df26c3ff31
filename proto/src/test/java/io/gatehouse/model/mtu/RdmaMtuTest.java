package io.gatehouse.model.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The steps of RDMA. */
class RdmaMtuTest {
  @Test
  void aStepIsThereFromItsFirstByteOn() {
    for (int step : new int[] {256, 512, 1_024, 2_048, 4_096}) {
      int needed = RdmaMtu.neededBytes(step);
      assertThat(needed).isEqualTo(step + 96);
      assertThat(RdmaMtu.stepBytes(needed)).isEqualTo(step);
      assertThat(RdmaMtu.stepBytes(needed - 1)).isEqualTo(step == 256 ? 0 : step / 2);
    }
  }

  @Test
  void usualNetworks() {
    assertThat(RdmaMtu.stepBytes(1_450)).isEqualTo(1_024);
    assertThat(RdmaMtu.stepBytes(4_150)).isEqualTo(2_048);
    assertThat(RdmaMtu.stepBytes(8_950)).isEqualTo(4_096);
    assertThat(RdmaMtu.stepBytes(65_000)).isEqualTo(4_096);
    assertThat(RdmaMtu.stepBytes(0)).isZero();
  }
}
