package io.gatehouse.agent.device.traceroute;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.program.Program;
import io.gatehouse.model.net.IpAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs {@code traceroute}; for one thread, which it blocks, but for {@link #close}. */
public final class TracerouteClient implements AutoCloseable {
  /** Where Debian's package has it; {@code traceroute} alone may be another program. */
  private static final Path PROGRAM = Path.of("/usr/bin/traceroute.db");

  /** Leaf, spine, core, spine, leaf, the peer, and some. A hop that is silent costs 1 s. */
  private static final int MAX_HOPS = 8;

  /** It tells nothing that is sure before it ends, so that this is longer than it can take. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private static final int MAX_OUTPUT_BYTES = 16_384;

  private final Program program;

  public TracerouteClient() {
    this(PROGRAM);
  }

  TracerouteClient(Path program) {
    this.program = new Program(program, LIMIT, MAX_OUTPUT_BYTES);
  }

  /**
   * Sends packets of one size, never fragmented, towards an address, and returns what the tool
   * prints. Unlike others it does not heed what the kernel remembers of the path.
   *
   * @param own address to send from
   * @param sizeBytes of the whole IP packet
   */
  public String trace(IpAddress own, IpAddress to, int sizeBytes) throws DeviceException {
    // Its status says nothing that the lines do not: a hop that refuses ends it in error.
    return program.ask(words(own, to, sizeBytes)).text();
  }

  private static List<String> words(IpAddress own, IpAddress to, int sizeBytes) {
    return List.of(
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
  }

  /** Ends the trace that is under way; none begins any more. */
  @Override
  public void close() {
    program.close();
  }
}
