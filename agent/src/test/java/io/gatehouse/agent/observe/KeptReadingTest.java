package io.gatehouse.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.state.observed.Observed;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KeptReadingTest {
  private int reads;
  private boolean changesMeanwhile;
  private Optional<DeviceException> failure = Optional.empty();
  private final KeptReading<Integer> reading = new KeptReading<>("the number", this::read);

  private Integer read() throws DeviceException {
    reads++;
    if (changesMeanwhile) {
      reading().mayHaveChanged();
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return reads;
  }

  private KeptReading<Integer> reading() {
    return reading;
  }

  private Observed<Integer> known(int value) {
    return new Observed.Known<>(value);
  }

  @Test
  void whatWasReadCountsUntilItMayHaveChanged() throws Exception {
    assertThat(reading.observe()).isEqualTo(known(1));
    assertThat(reading.observe()).isEqualTo(known(1));
    reading.mayHaveChanged();
    assertThat(reading.observe()).isEqualTo(known(2));
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void aChangeDuringTheReadIsReadAtTheNextLook() throws Exception {
    changesMeanwhile = true;
    assertThat(reading.observe()).isEqualTo(known(1));
    changesMeanwhile = false;
    assertThat(reading.observe()).isEqualTo(known(2));
    assertThat(reading.observe()).isEqualTo(known(2));
  }

  @Test
  void aFailedReadIsUnknownAndTriedAgain() throws Exception {
    assertThat(reading.observe()).isEqualTo(known(1));
    reading.mayHaveChanged();
    failure = Optional.of(new DeviceException(Kind.UNREACHABLE, "no answer"));
    assertThat(reading.observe()).isEqualTo(new Observed.Unknown<>("the number: no answer"));
    assertThat(reading.observe()).isEqualTo(new Observed.Unknown<>("the number: no answer"));
    failure = Optional.empty();
    assertThat(reading.observe()).isEqualTo(known(4));
    assertThat(reading.observe()).isEqualTo(known(4));
  }
}
