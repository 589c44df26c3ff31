package io.gatehouse.agent.device.lldp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lldpcli is asked, and what its answer is taken for. */
class LldpClientTest {
  private static final Duration NEVER = Duration.ofMinutes(10);

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
  void whoFailsOrSaysWhatNobodyReadsIsAnError() {
    assertThatThrownBy(() -> client("exit 3", NEVER).neighbours())
        .hasMessage("lldpcli: it ended with 3");
    assertThatThrownBy(() -> client("echo hello", NEVER).neighbours())
        .hasMessageContaining("no JSON");
  }
}
