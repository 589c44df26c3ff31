package io.gatehouse.agent.device.nft;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.nft.BoundedCommand.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The {@code nft} command, run in the network namespace of the calling thread. Changes go in as
 * JSON (libnftables-json(5)), which needs no quoting. A table comes out as nft's own text: the JSON
 * of nft 1.0.6 leaves out the device of a chain and garbles the flags of a table, see decision
 * 0031.
 *
 * <p>Safe for several threads. UNREACHABLE: nft is missing or does not end in time; REJECTED: nft
 * said no, and nothing has changed.
 */
public final class NftClient {
  /** Where Debian's package puts it. */
  public static final Path DEFAULT_PROGRAM = Path.of("/usr/sbin/nft");

  private static final String ABSENT = "Error: No such file or directory";

  private final Path program;
  private final Duration timeout;

  public NftClient(Path program, Duration timeout) {
    this.program = program;
    this.timeout = timeout;
  }

  /** Runs commands as one transaction: all of them or none. */
  public void apply(List<ObjectNode> commands) throws DeviceException {
    ArrayNode list = JsonNodeFactory.instance.arrayNode().addAll(commands);
    String input = JsonNodeFactory.instance.objectNode().set("nftables", list).toString();
    Outcome outcome = run(List.of("-j", "-f", "-"), input);
    if (outcome.status() != 0) {
      throw refused(outcome);
    }
  }

  /** The text of a table of a family, or empty if there is none of that name. */
  public Optional<String> list(String family, String table) throws DeviceException {
    Outcome outcome = run(List.of("-n", "list", "table", family, table), "");
    if (outcome.status() == 0) {
      return Optional.of(outcome.output());
    }
    if (firstLine(outcome).equals(ABSENT)) {
      return Optional.empty();
    }
    throw refused(outcome);
  }

  private Outcome run(List<String> arguments, String input) throws DeviceException {
    if (!Files.isExecutable(program)) {
      throw new DeviceException(
          Kind.UNREACHABLE, program + " is missing: install the package nftables");
    }
    List<String> command = new ArrayList<>(arguments);
    command.add(0, program.toString());
    return BoundedCommand.run(command, input, timeout);
  }

  private static DeviceException refused(Outcome outcome) {
    return new DeviceException(
        Kind.REJECTED, "nft ended with " + outcome.status() + ": " + firstLine(outcome));
  }

  private static String firstLine(Outcome outcome) {
    return outcome.errors().lines().findFirst().orElse("no reason given").strip();
  }
}
