package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OvsdbConfigTest {

  @Test
  void addressesReadAsTheyAreWritten() {
    for (String text :
        List.of(
            "unix:/run/openvswitch/db.sock",
            "tcp:127.0.0.1:6640",
            "tcp:[::1]:6640",
            "ssl:10.0.0.1:65535",
            "ssl:[fd00::1]:1")) {
      assertThat(OvsdbAddress.parse(text)).hasToString(text);
    }
  }

  @Test
  void wrongAddressesSayWhatIsWrong() {
    Map.of(
            "",
            "does not start with unix:, tcp: or ssl:",
            "punix:/x",
            "does not start with",
            "unix:db.sock",
            "has no absolute path",
            "unix:/" + "x".repeat(107),
            "is longer than 107 bytes",
            "tcp:127.0.0.1",
            "has no port after the host",
            "tcp:::1:6640",
            "needs [ ] around the IPv6 address",
            "tcp:[127.0.0.1]:6640",
            "has an IPv4 address in [ ]",
            "tcp:db.example:6640",
            "has a host that is not an IP address",
            "tcp:127.0.0.1:",
            "has a port that is not a number",
            "tcp:127.0.0.1:65536",
            "address.port=65536 is outside 1..65535")
        .forEach(
            (text, reason) ->
                assertThatThrownBy(() -> OvsdbAddress.parse(text))
                    .as(text)
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(reason));
  }

  @Test
  void limitsAreChecked() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new OvsdbConfig.Times(second, Duration.ZERO, second, second, second))
        .hasMessage("probe=PT0S is not positive");
    assertThatThrownBy(
            () -> new OvsdbConfig.Times(second, second, second, second, Duration.ofMillis(1)))
        .hasMessageContaining("is shorter than firstRetry");
    assertThatThrownBy(() -> new OvsdbConfig.Bounds(1, 0, 1, 1, 1))
        .hasMessage("depth=0 is not positive");
  }
}
