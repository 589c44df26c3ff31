package io.gatehouse.agent.device.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.program.Program.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that does not what it should holds up nobody for longer than it may. */
class ProgramTest {
  private static final Duration NEVER = Duration.ofMinutes(10);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final int MAX_BYTES = 1_000;

  @TempDir private Path folder = Path.of("");

  private Program program(String script, Duration limit) throws IOException {
    Path file = Files.writeString(folder.resolve("tool"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return new Program(file, limit, MAX_BYTES);
  }

  private static Answer ask(Program program, String... words) {
    try {
      return program.ask(List.of(words));
    } catch (DeviceException e) {
      throw new CompletionException(e);
    }
  }

  @Test
  void wordsGoInAsTheyAreAndStatusAndTextComeOut() throws Exception {
    Program tool = program("printf '%s|' \"$@\"; echo no >&2; exit 3", NEVER);
    assertThat(ask(tool, "a b", "$HOME", ";")).isEqualTo(new Answer(3, "a b|$HOME|;|"));
  }

  @Test
  void ofTheEnvironmentOnlyTheLocaleIsThere() throws Exception {
    Program tool = program("echo \"$HOME,$USER,$LC_ALL,$(pwd)\"; cat", NEVER);
    assertThat(ask(tool).text()).isEqualTo(",,C,/\n");
  }

  @Test
  void whatIsNotThereIsSaid() {
    Program tool = new Program(folder.resolve("absent"), NEVER, MAX_BYTES);
    assertThat(tool.isThere()).isFalse();
    assertThatThrownBy(() -> tool.ask(List.of()))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
        .hasMessage("absent is not installed");
  }

  @Test
  void whoHangsIsKilledWheneverItsTimeIsOver() throws Exception {
    // Before its first word, within it, and after it has closed its output.
    for (String script :
        List.of("exec sleep 1000", "echo a; exec sleep 1000", "exec >&-; sleep 9")) {
      assertThatThrownBy(() -> program(script, SOON).ask(List.of()))
          .as(script)
          .isInstanceOfSatisfying(
              DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
          .hasMessage("tool has not ended within 200 ms");
    }
  }

  @Test
  void whoIsKilledTakesAlongAllThatItStarted() throws Exception {
    Path pids = folder.resolve("pids");
    // Told through a pipe, so that the end comes when both are there, however long that takes.
    new ProcessBuilder("mkfifo", pids.toString()).start().waitFor();
    Program tool = program("sleep 1000 & echo \"$$ $!\" > " + pids + "; wait", NEVER);
    CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> ask(tool));
    String[] started;
    try (BufferedReader reader = Files.newBufferedReader(pids)) {
      started = reader.readLine().split(" ");
    }
    tool.close();
    assertThatThrownBy(answer::join)
        .cause()
        .hasMessage("tool is not asked any more: the agent ends");
    for (String pid : started) {
      // Dead, or about to be: who is killed is only waited for.
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(process -> process.onExit().join());
    }
    assertThatThrownBy(() -> tool.ask(List.of()))
        .hasMessage("tool is not asked any more: the agent ends");
  }

  @Test
  void whoTalksWithoutEndIsNotListenedTo() {
    assertThatThrownBy(() -> program("exec cat /dev/zero", NEVER).ask(List.of()))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL))
        .hasMessage("tool says more than anybody reads");
  }
}
