package io.gatehouse.agent.device.lldp;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.program.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks lldpd for the neighbours by its own program, lldpcli: the protocol of lldpd's socket changes
 * with its releases, what the program prints does not. One command that reads. A call lasts the
 * limit at most; so it is for a thread that others do not wait for.
 */
public final class LldpClient {
  /** Where Debian and others have it. */
  public static final Path DEFAULT_PROGRAM = Path.of("/usr/sbin/lldpcli");

  /** Where lldpd listens unless told otherwise. */
  public static final Path DEFAULT_SOCKET = Path.of("/run/lldpd.socket");

  private static final int MAX_OUTPUT_BYTES = 4 << 20;

  private final Program program;
  private final Path socket;

  /**
   * A client.
   *
   * @param program absolute path of lldpcli
   * @param socket of lldpd
   * @param limit of one call
   */
  public LldpClient(Path program, Path socket, Duration limit) {
    this.program = new Program(program, limit, MAX_OUTPUT_BYTES);
    this.socket = socket.toAbsolutePath();
  }

  /**
   * The neighbours on all links; empty if there is no lldpd here.
   *
   * @throws DeviceException UNREACHABLE if it does not answer, PROTOCOL if nobody can read that
   */
  public Optional<List<LldpNeighbour>> neighbours() throws DeviceException {
    if (!program.isThere() || !Files.exists(socket)) {
      return Optional.empty();
    }
    Program.Answer answer =
        program.ask(
            List.of("-u", socket.toString(), "-f", "json0", "show", "neighbors", "details"));
    if (answer.status() != 0) {
      throw new DeviceException(Kind.UNREACHABLE, "lldpcli: it ended with " + answer.status());
    }
    return Optional.of(LldpNeighbourReader.read(answer.text().getBytes(StandardCharsets.UTF_8)));
  }
}
