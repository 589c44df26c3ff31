package io.gatehouse.agent.device.traceroute;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.model.net.IpAddress;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs {@code traceroute}; for one thread, which it blocks, but for {@link #close}. */
public final class TracerouteClient implements AutoCloseable {
  /** Where Debian's package has it; {@code traceroute} alone may be another program. */
  public static final Path DEFAULT_PROGRAM = Path.of("/usr/bin/traceroute.db");

  /** Leaf, spine, core, spine, leaf, the peer, and some. A hop that is silent costs 1 s. */
  static final int MAX_HOPS = 8;

  /** It tells nothing that is sure before it ends, so that this is longer than it can take. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private static final int MAX_OUTPUT_BYTES = 16_384;
  private static final File NOTHING = new File("/dev/null");

  private final Path program;
  private final Duration limit;
  private @Nullable Process running;
  private boolean closed;

  public TracerouteClient() {
    this(DEFAULT_PROGRAM, LIMIT);
  }

  TracerouteClient(Path program, Duration limit) {
    this.program = program;
    this.limit = limit;
  }

  /**
   * Sends packets of one size, never fragmented, towards an address, and returns what the tool
   * prints. Unlike others it does not heed what the kernel remembers of the path.
   *
   * @param own address to send from
   * @param sizeBytes of the whole IP packet
   */
  public String trace(IpAddress own, IpAddress to, int sizeBytes)
      throws DeviceException, InterruptedException {
    if (!Files.isExecutable(program)) {
      throw new DeviceException(Kind.REJECTED, "traceroute is not installed");
    }
    try {
      return output(start(own, to, sizeBytes));
    } catch (IOException e) {
      throw new DeviceException(Kind.UNREACHABLE, "traceroute: " + e.getMessage(), e);
    }
  }

  private Process start(IpAddress own, IpAddress to, int sizeBytes) throws IOException {
    List<String> command =
        List.of(
            program.toString(),
            "-n",
            "-F",
            "-q",
            "1",
            "-N",
            "1",
            "-w",
            "1",
            "-m",
            Integer.toString(MAX_HOPS),
            "-s",
            own.toString(),
            to.toString(),
            Integer.toString(sizeBytes));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(NOTHING)
            .directory(new File("/"));
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C");
    return builder.start();
  }

  private String output(Process process) throws IOException, DeviceException, InterruptedException {
    try {
      run(process);
      // It prints less than a pipe holds.
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new DeviceException(
            Kind.UNREACHABLE, "traceroute has not ended within " + limit.toSeconds() + " s");
      }
      byte[] bytes = process.getInputStream().readNBytes(MAX_OUTPUT_BYTES);
      return new String(bytes, StandardCharsets.US_ASCII);
    } finally {
      process.destroyForcibly();
      ended();
    }
  }

  private synchronized void run(Process process) throws DeviceException {
    if (closed) {
      throw new DeviceException(Kind.UNREACHABLE, "traceroute: the agent ends");
    }
    running = process;
  }

  private synchronized void ended() {
    running = null;
  }

  /** Ends the trace that is under way; none begins any more. */
  @Override
  public synchronized void close() {
    closed = true;
    if (running != null) {
      running.destroyForcibly();
    }
  }
}
