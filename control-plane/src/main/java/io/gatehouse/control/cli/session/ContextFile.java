package io.gatehouse.control.cli.session;

import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.config.ConfigProblem;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.config.YamlMap;
import io.gatehouse.runtime.config.YamlReader;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which control plane to talk to, and as whom.
 *
 * @param serverName the name that its certificate must carry, if that is not the target's host
 * @param enrollmentTarget where an expired certificate is replaced; written by login
 */
public record ContextFile(
    HostPort target,
    Optional<String> serverName,
    Optional<HostPort> enrollmentTarget,
    TlsPaths tls) {
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

  /** The folder beside a context file where login keeps key and certificates. */
  public static Path identityFolder(Path file) {
    return file.resolveSibling(folderName(file));
  }

  /** Writes a context file whose identity is in the folder beside it. */
  public static void write(
      Path file, HostPort target, HostPort enrollment, Optional<String> serverName)
      throws IOException {
    String folder = folderName(file);
    StringBuilder text = new StringBuilder("# Written by gatehouse login.\n");
    text.append("target: \"").append(target).append("\"\n");
    text.append("enrollment_target: \"").append(enrollment).append("\"\n");
    serverName.ifPresent(name -> text.append("server_name: \"").append(name).append("\"\n"));
    text.append("ca: \"").append(folder).append("/roots.pem\"\n");
    text.append("certificate: \"").append(folder).append("/identity.pem\"\n");
    text.append("key: \"").append(folder).append("/identity.pem\"\n");
    PrivateFile.replace(file, text.toString());
  }

  private static String folderName(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return (dot > 0 ? name.substring(0, dot) : name) + "-identity";
  }

  private static ContextFile parse(YamlMap root) {
    Supplier<HostPort> target = root.value("target", HostPort::parse).required();
    Supplier<Optional<String>> serverName = root.text("server_name").optional();
    Supplier<Optional<HostPort>> enrollment =
        root.value("enrollment_target", HostPort::parse).optional();
    Supplier<TlsPaths> tls = TlsPaths.read(root);
    return root.finish(
        () -> new ContextFile(target.get(), serverName.get(), enrollment.get(), tls.get()));
  }
}
