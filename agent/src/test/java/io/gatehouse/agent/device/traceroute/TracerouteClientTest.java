package io.gatehouse.agent.device.traceroute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.model.net.IpAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What traceroute is asked, and what its answer is taken for. */
class TracerouteClientTest {
  private static final IpAddress OWN = IpAddress.parse("192.0.2.1");
  private static final IpAddress PEER = IpAddress.parse("192.0.2.2");

  @TempDir private Path directory = Path.of("");

  @Test
  void whatItPrintsIsTheAnswerHoweverItEnds() throws Exception {
    Path program = directory.resolve("traceroute");
    Files.writeString(program, "#!/bin/sh\nprintf '%s ' \"$@\"; exit 1");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    assertThat(new TracerouteClient(program).trace(OWN, PEER, 1_500))
        .isEqualTo("-n -F -q 1 -N 1 -w 1 -m 8 -s 192.0.2.1 192.0.2.2 1500 ");
  }

  @Test
  void whatIsNotInstalledIsSaid() {
    TracerouteClient client = new TracerouteClient(directory.resolve("traceroute"));
    assertThatThrownBy(() -> client.trace(OWN, PEER, 1_500))
        .isInstanceOf(DeviceException.class)
        .hasMessage("traceroute is not installed");
  }
}
