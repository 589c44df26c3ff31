package io.gatehouse.agent.device.lldp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that does not what it should holds up nobody for longer than it may. */
class LldpClientTest {
  private static final Duration NEVER = Duration.ofMinutes(10);
  private static final Duration SOON = Duration.ofMillis(300);

  @TempDir private Path folder;

  private LldpClient client(String script, Duration limit) throws IOException {
    Path program = folder.resolve("lldpcli");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("socket"), "");
    return new LldpClient(program, folder.resolve("socket"), limit);
  }

  @Test
  void whereThereIsNoneThereIsNoAnswer() throws Exception {
    LldpClient there = client("exit 9", NEVER);
    Files.delete(folder.resolve("socket"));
    assertThat(there.neighbours()).as("no socket").isEmpty();
    assertThat(new LldpClient(folder.resolve("none"), folder, NEVER).neighbours())
        .as("no program")
        .isEmpty();
  }

  @Test
  void oneQuestionWithoutAShellOrAnEnvironment() throws Exception {
    LldpClient client =
        client(
            "printf '{\"lldp\":[{\"interface\":[{\"name\":\"%s\",\"port\":[{\"descr\":"
                + "[{\"value\":\"x\"}],\"id\":[{\"value\":\"%s\"}]}]}]}]}' \"$HOME\" \"$*\"",
            NEVER);
    // Without a home there is no name of a device, and so no neighbour.
    assertThat(client.neighbours().orElseThrow()).isEmpty();
    client =
        client(
            "printf '{\"lldp\":[{\"interface\":[{\"name\":\"p0\",\"port\":[{\"id\":"
                + "[{\"value\":\"%s\"}]}]}]}]}' \"$*\"",
            NEVER);
    assertThat(client.neighbours().orElseThrow())
        .extracting(LldpNeighbour::port)
        .containsExactly("-u " + folder.resolve("socket") + " -f json0 show neighbors details");
  }

  @Test
  void whoHangsIsKilledWithAllItStarted() throws Exception {
    Path pids = folder.resolve("pids");
    String script = "echo $$ > " + pids + "; sleep 1000 & echo $! >> " + pids + "; wait";
    Duration limit = SOON;
    do {
      // On a loaded machine it may be dead before it has come so far; then it gets more time.
      Files.writeString(pids, "");
      limit = limit.multipliedBy(2);
      LldpClient client = client(script, limit);
      assertThatThrownBy(client::neighbours)
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("no answer within");
    } while (Files.readAllLines(pids).size() < 2 && limit.compareTo(NEVER) < 0);
    for (String pid : Files.readAllLines(pids)) {
      // Both are dead, or about to be: who is killed is only waited for.
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(process -> process.onExit().join());
    }
    assertThat(Files.readAllLines(pids)).hasSize(2);
  }

  @Test
  void whoFailsOrTalksWithoutEndIsAnError() {
    assertThatThrownBy(() -> client("exit 3", NEVER).neighbours())
        .hasMessage("lldpcli: it ended with 3");
    assertThatThrownBy(() -> client("exec cat /dev/zero", NEVER).neighbours())
        .hasMessageContaining("more than anybody reads");
    assertThatThrownBy(() -> client("echo hello", NEVER).neighbours())
        .hasMessageContaining("no JSON");
  }
}
