package io.gatehouse.agent.device.traceroute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.model.net.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a program that is away, hangs, or is not wanted any more. */
class TracerouteClientTest {
  private static final IpAddress OWN = IpAddress.parse("192.0.2.1");
  private static final IpAddress PEER = IpAddress.parse("192.0.2.2");
  private static final Duration PATIENT = Duration.ofMinutes(1);

  @TempDir private Path directory = Path.of("");

  private TracerouteClient client(String script, Duration limit) throws IOException {
    Path program = Files.writeString(directory.resolve("traceroute"), "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new TracerouteClient(program, limit);
  }

  @Test
  void whatItPrintsIsTheAnswer() throws Exception {
    assertThat(client("printf '%s ' \"$@\"", PATIENT).trace(OWN, PEER, 1_500))
        .isEqualTo("-n -F -q 1 -N 1 -w 1 -m 8 -s 192.0.2.1 192.0.2.2 1500 ");
  }

  @Test
  void whatIsNotInstalledIsSaid() {
    TracerouteClient client = new TracerouteClient(directory.resolve("absent"), PATIENT);
    assertThatThrownBy(() -> client.trace(OWN, PEER, 1_500))
        .isInstanceOf(DeviceException.class)
        .hasMessage("traceroute is not installed");
  }

  @Test
  void whatHangsIsEnded() throws IOException {
    TracerouteClient client = client("exec sleep 3600", Duration.ofSeconds(1));
    assertThatThrownBy(() -> client.trace(OWN, PEER, 1_500))
        .isInstanceOf(DeviceException.class)
        .hasMessage("traceroute has not ended within 1 s");
  }

  @Test
  void noneBeginsAfterTheEnd() throws IOException {
    TracerouteClient client = client("exec sleep 3600", PATIENT);
    client.close();
    assertThatThrownBy(() -> client.trace(OWN, PEER, 1_500))
        .isInstanceOf(DeviceException.class)
        .hasMessage("traceroute: the agent ends");
  }
}
