package io.gatehouse.agent.device.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.nft.BoundedCommand.Outcome;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BoundedCommandTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void givesInputAndTakesOutputLargerThanAPipe() throws Exception {
    String input = "x".repeat(1 << 20);
    assertThat(BoundedCommand.run(List.of("/bin/cat"), input, LONG))
        .isEqualTo(new Outcome(0, input, ""));
  }

  @Test
  void tellsStatusAndErrorsApart() throws Exception {
    List<String> command = List.of("/bin/ls", "/nonexistent");
    Outcome outcome = BoundedCommand.run(command, "", LONG);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors()).contains("No such file or directory");
  }

  @Test
  void doesNotMindAProgramThatReadsNothing() throws Exception {
    assertThat(BoundedCommand.run(List.of("/bin/true"), "x".repeat(1 << 20), LONG).status())
        .isZero();
  }

  @Test
  void killsWhatDoesNotEnd() {
    assertKind(
        Kind.UNREACHABLE,
        () -> BoundedCommand.run(List.of("/bin/sleep", "600"), "", Duration.ofMillis(50)));
  }

  @Test
  void stopsReadingWhatIsTooLong() {
    assertKind(Kind.PROTOCOL, () -> BoundedCommand.run(List.of("/bin/cat", "/dev/zero"), "", LONG));
  }

  @Test
  void saysWhatCannotRun() {
    assertKind(Kind.UNREACHABLE, () -> BoundedCommand.run(List.of("/nonexistent/nft"), "", LONG));
  }

  private static void assertKind(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(DeviceException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
