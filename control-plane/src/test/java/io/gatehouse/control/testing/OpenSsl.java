package io.gatehouse.control.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command openssl in a directory: a second opinion on certificates. */
public record OpenSsl(Path directory) {
  /** What it says, whatever its exit code. */
  public String say(String... arguments) {
    return run(false, arguments);
  }

  /** What it says; fails if it is not content. */
  public String mustSay(String... arguments) {
    return run(true, arguments);
  }

  private String run(boolean strict, String... arguments) {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Path log = directory.resolve("openssl.log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(command + " does not end");
      }
      String said = Files.readString(log);
      if (strict && process.exitValue() != 0) {
        throw new AssertionError(command + ": " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
