package io.gatehouse.agent.device.unixctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.openflow.VswitchdProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands to a real ovs-vswitchd, across its restart. */
final class UnixctlClientIT {
  @Test
  void manyCommandsOverOneConnectionAndANewOneAfterARestart() throws Exception {
    try (VswitchdProcess vswitchd = VswitchdProcess.start("unixctl");
        UnixctlClient client = new UnixctlClient(vswitchd.directory(), Duration.ofSeconds(30))) {
      for (int i = 0; i < 100; i++) {
        assertThat(client.call("version", List.of())).contains("ovs-vswitchd");
      }
      assertThatThrownBy(() -> client.call("ofproto/trace", List.of("nowhere", "in_port=1")))
          .isInstanceOfSatisfying(
              DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED));
      assertThat(client.call("version", List.of())).as("a refusal ends nothing").isNotEmpty();
      vswitchd.killVswitchd();
      assertThatThrownBy(() -> client.call("version", List.of()))
          .isInstanceOfSatisfying(
              DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
      vswitchd.startVswitchd();
      assertThat(client.call("version", List.of())).contains("ovs-vswitchd");
    }
  }
}
