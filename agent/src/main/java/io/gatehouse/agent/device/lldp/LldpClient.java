package io.gatehouse.agent.device.lldp;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Asks lldpd for the neighbours by its own program, lldpcli: the protocol of lldpd's socket changes
 * with its releases, what the program prints does not. No shell, no environment, one command that
 * reads. A call lasts the limit at most, and then the program is killed; so it is for a thread that
 * others do not wait for.
 */
public final class LldpClient {
  /** Where Debian and others have it. */
  public static final Path DEFAULT_PROGRAM = Path.of("/usr/sbin/lldpcli");

  /** Where lldpd listens unless told otherwise. */
  public static final Path DEFAULT_SOCKET = Path.of("/run/lldpd.socket");

  private static final int MAX_OUTPUT_BYTES = 4 << 20;

  private final Path program;
  private final Path socket;
  private final Duration limit;

  /**
   * A client.
   *
   * @param program absolute path of lldpcli
   * @param socket of lldpd
   * @param limit of one call
   */
  public LldpClient(Path program, Path socket, Duration limit) {
    this.program = program.toAbsolutePath();
    this.socket = socket.toAbsolutePath();
    this.limit = limit;
  }

  /**
   * The neighbours on all links; empty if there is no lldpd here.
   *
   * @throws DeviceException UNREACHABLE if it does not answer, PROTOCOL if nobody can read that
   */
  public Optional<List<LldpNeighbour>> neighbours() throws DeviceException {
    if (!Files.isExecutable(program) || !Files.exists(socket)) {
      return Optional.empty();
    }
    return Optional.of(LldpNeighbourReader.read(asked()));
  }

  private byte[] asked() throws DeviceException {
    Process process = started();
    CompletableFuture<Void> alarm =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<Void> kill = alarm.thenRun(() -> kill(process));
    try (InputStream output = process.getInputStream()) {
      byte[] bytes = output.readNBytes(MAX_OUTPUT_BYTES + 1);
      if (bytes.length > MAX_OUTPUT_BYTES) {
        throw new DeviceException(Kind.PROTOCOL, "lldpcli: it says more than anybody reads");
      }
      // Its output has ended, so it is about to; if not, the alarm comes.
      int status = process.onExit().join().exitValue();
      if (kill.isDone()) {
        throw new DeviceException(
            Kind.UNREACHABLE, "lldpcli: no answer within " + limit.toSeconds() + " s");
      }
      if (status != 0) {
        throw new DeviceException(Kind.UNREACHABLE, "lldpcli: it ended with " + status);
      }
      return bytes;
    } catch (IOException e) {
      throw new DeviceException(Kind.UNREACHABLE, "lldpcli: " + e.getMessage(), e);
    } finally {
      alarm.cancel(false);
      kill(process);
    }
  }

  private Process started() throws DeviceException {
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(),
            "-u",
            socket.toString(),
            "-f",
            "json0",
            "show",
            "neighbors",
            "details");
    builder.environment().clear();
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.redirectInput(Path.of("/dev/null").toFile());
    try {
      return builder.start();
    } catch (IOException e) {
      throw new DeviceException(Kind.UNREACHABLE, "lldpcli: " + e.getMessage(), e);
    }
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
