package io.gatehouse.control.cli.session;

import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.config.ConfigProblem;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.config.YamlMap;
import io.gatehouse.runtime.config.YamlReader;
import io.gatehouse.runtime.tls.TlsPaths;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which control plane to talk to, and as whom.
 *
 * @param serverName the name that its certificate must carry, if that is not the target's host
 */
public record ContextFile(HostPort target, Optional<String> serverName, TlsPaths tls) {
  private static final String VARIABLE = "GATEHOUSE_CONTEXT";
  private static final String DEFAULT = ".config/gatehouse/context.yaml";

  /** The file that was named, else that of the environment, else the one below the home. */
  public static Path locate(Optional<String> named, Terminal terminal) {
    return named
        .or(() -> Optional.ofNullable(terminal.environment().get(VARIABLE)))
        .map(Path::of)
        .orElseGet(() -> terminal.home().resolve(DEFAULT));
  }

  /**
   * Reads the file.
   *
   * @throws CliException if it cannot be used
   */
  public static ContextFile read(Path file) {
    if (!Files.exists(file)) {
      throw new CliException(
          ExitCode.USAGE,
          List.of(
              file + ": no such context file",
              "name one with --context or " + VARIABLE + "; gatehouse --help shows what it holds"));
    }
    try {
      return parse(YamlReader.read(file));
    } catch (ConfigException e) {
      throw new CliException(
          ExitCode.USAGE, e.problems().stream().map(ConfigProblem::toString).toList());
    }
  }

  private static ContextFile parse(YamlMap root) {
    Supplier<HostPort> target = root.value("target", HostPort::parse).required();
    Supplier<Optional<String>> serverName = root.text("server_name").optional();
    Supplier<TlsPaths> tls = TlsPaths.read(root);
    return root.finish(() -> new ContextFile(target.get(), serverName.get(), tls.get()));
  }
}
