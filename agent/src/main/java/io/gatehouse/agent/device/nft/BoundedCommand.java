package io.gatehouse.agent.device.nft;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a program without a shell, with a limit of time and of output. Text is UTF-8; the program
 * runs in the C locale.
 */
final class BoundedCommand {
  private static final int MAX_OUTPUT_BYTES = 8 << 20;

  private BoundedCommand() {}

  /** What a program left: its exit status and what it wrote. */
  record Outcome(int status, String output, String errors) {}

  /**
   * Runs to the end. UNREACHABLE if it cannot start or does not end in time (it is killed);
   * PROTOCOL if it writes too much.
   */
  static Outcome run(List<String> command, String input, Duration timeout) throws DeviceException {
    Process process = start(command);
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      FutureTask<String> output = inBackground(process.getInputStream());
      FutureTask<String> errors = inBackground(process.getErrorStream());
      FutureTask<String> written = inBackground(process.getOutputStream(), input);
      String out = output.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      String err = errors.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      written.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException();
      }
      return new Outcome(process.exitValue(), out, err);
    } catch (TimeoutException e) {
      throw new DeviceException(
          Kind.UNREACHABLE, command.get(0) + " did not end within " + timeout, e);
    } catch (ExecutionException e) {
      throw new DeviceException(Kind.PROTOCOL, command.get(0) + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeviceException(Kind.UNREACHABLE, command.get(0) + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(List<String> command) throws DeviceException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new DeviceException(
          Kind.UNREACHABLE, "cannot run " + command.get(0) + ": " + e.getMessage(), e);
    }
  }

  private static FutureTask<String> inBackground(InputStream stream) {
    return daemon(
        new FutureTask<>(
            () -> {
              byte[] bytes = stream.readNBytes(MAX_OUTPUT_BYTES + 1);
              if (bytes.length > MAX_OUTPUT_BYTES) {
                throw new IOException("more than " + MAX_OUTPUT_BYTES + " bytes of output");
              }
              return new String(bytes, StandardCharsets.UTF_8);
            }));
  }

  private static FutureTask<String> inBackground(OutputStream stream, String input) {
    return daemon(
        new FutureTask<>(
            () -> {
              try (stream) {
                stream.write(input.getBytes(StandardCharsets.UTF_8));
              } catch (IOException e) {
                // The program ended without reading it all; its exit status says why.
              }
              return input;
            }));
  }

  private static FutureTask<String> daemon(FutureTask<String> task) {
    Thread thread = new Thread(task, "bounded-command");
    thread.setDaemon(true);
    thread.start();
    return task;
  }
}
