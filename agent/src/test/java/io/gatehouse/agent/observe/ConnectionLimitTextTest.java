package io.gatehouse.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import org.junit.jupiter.api.Test;

/** What {@code dpctl/ct-get-limits} says, as Open vSwitch 3.1.0 printed it. */
final class ConnectionLimitTextTest {
  @Test
  void zonesWithLimitsAreRead() throws DeviceException {
    String text =
        """
        default limit=0
        zone=5,limit=3,count=1
        zone=6,limit=10000000,count=0
        zone=9,limit=0,count=0
        """;
    assertThat(ConnectionLimitObserver.parse(text).connections())
        .hasSize(2)
        .containsEntry(5, 3L)
        .containsEntry(6, 10_000_000L);
  }

  @Test
  void noLimitIsNone() throws DeviceException {
    assertThat(ConnectionLimitObserver.parse("default limit=7\n"))
        .isEqualTo(ConnectionLimitView.NONE);
  }

  @Test
  void whatIsNotKnownIsNoEmptyAnswer() {
    for (String text : new String[] {"zone=5", "zone=5,limit=3,count=x", "limits: none"}) {
      assertThatThrownBy(() -> ConnectionLimitObserver.parse(text))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining(text);
    }
  }
}
