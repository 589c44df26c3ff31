package io.gatehouse.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a command came to.
 *
 * @param command the command with its arguments
 * @param status its exit status
 * @param output what it printed on both streams, in order
 */
public record CommandResult(List<String> command, int status, String output) {
  private static final long LIMIT_SECONDS = 600;

  public CommandResult {
    command = List.copyOf(command);
  }

  /**
   * Runs a command to its end, at most ten minutes; no shell looks at the arguments. Its output
   * goes through a file: a daemon that kept the stream open could not hold the reader up.
   */
  static CommandResult of(Map<String, String> environment, String... command) {
    try {
      Path output = Files.createTempFile("command", ".out");
      try {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        return new CommandResult(List.of(command), finish(process), Files.readString(output));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + List.of(command), e);
    }
  }

  /** The output; fails the test unless the command succeeded. */
  public String expectSuccess() {
    if (status != 0) {
      throw new AssertionError(command + " ended with status " + status + ":\n" + output);
    }
    return output;
  }

  private static int finish(Process process) {
    try {
      if (process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      process.destroyForcibly();
      throw new AssertionError("still running after " + LIMIT_SECONDS + " s: " + process.info());
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
