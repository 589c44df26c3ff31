package io.gatehouse.agent.device.tracepath;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.model.net.IpAddress;
import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs {@code tracepath}; for one thread, which it blocks, but for {@link #close}. */
public final class TracepathClient implements AutoCloseable {
  /** Where Debian's package iputils-tracepath has it. */
  public static final Path DEFAULT_PROGRAM = Path.of("/usr/bin/tracepath");

  /** Leaf, spine, core, spine, leaf. A hop that is silent costs the tool 3 s. */
  static final int MAX_HOPS = 5;

  /** It tells nothing before it ends, so that this is longer than it can take. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final int MAX_OUTPUT_BYTES = 16_384;
  private static final File NOTHING = new File("/dev/null");

  /** The tool's own; a connected socket needs one. */
  private static final int PORT = 44_444;

  private final Path program;
  private final Duration limit;
  private volatile @Nullable Process running;

  public TracepathClient() {
    this(DEFAULT_PROGRAM, LIMIT);
  }

  TracepathClient(Path program, Duration limit) {
    this.program = program;
    this.limit = limit;
  }

  /**
   * Sends packets of one size towards an address, and returns what the tool prints. It has no
   * option for the source, so that the kernel's choice has to be the own address.
   *
   * @param sizeBytes of the whole IP packet
   */
  public String trace(IpAddress own, IpAddress to, int sizeBytes)
      throws DeviceException, InterruptedException {
    if (!Files.isExecutable(program)) {
      throw new DeviceException(Kind.REJECTED, "tracepath is not installed");
    }
    try {
      IpAddress source = source(to);
      if (!source.equals(own)) {
        throw new DeviceException(Kind.REJECTED, to + " is reached from " + source);
      }
      return output(start(to, sizeBytes));
    } catch (IOException e) {
      throw new DeviceException(Kind.UNREACHABLE, "tracepath: " + e.getMessage(), e);
    }
  }

  private static IpAddress source(IpAddress to) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByAddress(to.toBytes()), PORT));
      return IpAddress.ofBytes(socket.getLocalAddress().getAddress());
    }
  }

  private Process start(IpAddress to, int sizeBytes) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "-n",
                    "-m",
                    Integer.toString(MAX_HOPS),
                    "-l",
                    Integer.toString(sizeBytes),
                    to.toString()))
            .redirectErrorStream(true)
            .redirectInput(NOTHING)
            .directory(new File("/"));
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C");
    return builder.start();
  }

  private String output(Process process) throws IOException, DeviceException, InterruptedException {
    running = process;
    try {
      // It prints less than a pipe holds.
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new DeviceException(
            Kind.UNREACHABLE, "tracepath has not ended within " + limit.toSeconds() + " s");
      }
      byte[] bytes = process.getInputStream().readNBytes(MAX_OUTPUT_BYTES);
      return new String(bytes, StandardCharsets.US_ASCII);
    } finally {
      process.destroyForcibly();
      running = null;
    }
  }

  @Override
  public void close() {
    Process process = running;
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
