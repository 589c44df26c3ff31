package io.gatehouse.agent.device.program;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program of this machine that answers questions: no shell, no environment but the C locale,
 * nothing to read, and what it complains of is not read. It lasts its limit at most and says no
 * more than somebody reads; beyond that it is killed with all that it started. A question blocks,
 * so that it is for one thread that others do not wait for; {@link #close} ends it from any thread.
 */
public final class Program implements AutoCloseable {
  private static final File NOTHING = new File("/dev/null");

  private final Path file;
  private final Duration limit;
  private final int maxBytes;
  private @Nullable Process running;
  private boolean closed;

  /**
   * What it said.
   *
   * @param status with which it ended
   * @param text its standard output
   */
  public record Answer(int status, String text) {}

  /**
   * A program.
   *
   * @param limit of one question
   * @param maxBytes that an answer may have
   */
  public Program(Path file, Duration limit, int maxBytes) {
    this.file = file.toAbsolutePath();
    this.limit = limit;
    this.maxBytes = maxBytes;
  }

  /** Whether it is installed. */
  public boolean isThere() {
    return Files.isExecutable(file);
  }

  /**
   * Runs it.
   *
   * @throws DeviceException REJECTED if it is not installed, UNREACHABLE if it does not end within
   *     the limit or is ended by {@link #close}, PROTOCOL if it says too much
   */
  public Answer ask(List<String> words) throws DeviceException {
    if (!isThere()) {
      throw failure(Kind.REJECTED, "is not installed");
    }
    Process process = start(words);
    CompletableFuture<Void> alarm =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
    // What is killed looks as if it had ended, or fails to be read; the alarm was before that.
    CompletableFuture<Void> unused = alarm.thenRun(() -> kill(process));
    try (InputStream output = process.getInputStream()) {
      byte[] bytes = output.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw failure(Kind.PROTOCOL, "says more than anybody reads");
      }
      // Its output has ended, so it is about to; if not, the alarm comes.
      int status = process.onExit().join().exitValue();
      if (!alarm.cancel(false) || isClosed()) {
        throw killed(null);
      }
      return new Answer(status, new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw alarm.isDone() || isClosed() ? killed(e) : unreachable(e);
    } finally {
      alarm.cancel(false);
      kill(process);
      ended();
    }
  }

  private synchronized Process start(List<String> words) throws DeviceException {
    if (closed) {
      throw killed(null);
    }
    List<String> command = new ArrayList<>();
    command.add(file.toString());
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(NOTHING)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .directory(new File("/"));
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C");
    try {
      running = builder.start();
      return running;
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private synchronized void ended() {
    running = null;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private DeviceException killed(@Nullable IOException cause) {
    String why =
        isClosed()
            ? " is not asked any more: the agent ends"
            : " has not ended within " + limit.toMillis() + " ms";
    return new DeviceException(Kind.UNREACHABLE, file.getFileName() + why, cause);
  }

  private DeviceException unreachable(IOException cause) {
    return new DeviceException(
        Kind.UNREACHABLE, file.getFileName() + ": " + cause.getMessage(), cause);
  }

  private DeviceException failure(Kind kind, String what) {
    return new DeviceException(kind, file.getFileName() + " " + what);
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Ends what is under way; nothing is asked any more. */
  @Override
  public synchronized void close() {
    closed = true;
    if (running != null) {
      kill(running);
    }
  }
}
