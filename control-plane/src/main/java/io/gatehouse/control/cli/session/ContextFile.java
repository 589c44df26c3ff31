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
    Proof proof) {
  private static final String VARIABLE = "GATEHOUSE_CONTEXT";
  private static final String BEARER = "bearer_token_file";
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

  /** The one that login writes with an identity in the folder beside the file. */
  public static ContextFile ofIdentity(
      Path file, HostPort target, HostPort enrollment, Optional<String> serverName) {
    Path folder = Path.of(folderName(file));
    Path identity = folder.resolve("identity.pem");
    TlsPaths paths = new TlsPaths(folder.resolve("roots.pem"), identity, identity);
    return new ContextFile(
        target, serverName, Optional.of(enrollment), new Proof.Certificate(paths));
  }

  /** Writes the file; only its owner may read it. */
  public void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder("# Written by gatehouse login.\n");
    line(text, "target", target);
    enrollmentTarget.ifPresent(enrollment -> line(text, "enrollment_target", enrollment));
    serverName.ifPresent(name -> line(text, "server_name", name));
    if (proof instanceof Proof.Bearer bearer) {
      line(text, "ca", bearer.ca());
      line(text, BEARER, bearer.tokenFile());
    } else if (proof instanceof Proof.Certificate certificate) {
      line(text, "ca", certificate.paths().ca());
      line(text, "certificate", certificate.paths().certificate());
      line(text, "key", certificate.paths().key());
    }
    PrivateFile.replace(file, text.toString());
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append(key).append(": '").append(value.toString().replace("'", "''")).append("'\n");
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
    Supplier<? extends Proof> proof = root.has(BEARER) ? bearer(root) : certificate(root);
    return root.finish(
        () -> new ContextFile(target.get(), serverName.get(), enrollment.get(), proof.get()));
  }

  private static Supplier<Proof.Certificate> certificate(YamlMap root) {
    Supplier<TlsPaths> paths = TlsPaths.read(root);
    return () -> new Proof.Certificate(paths.get());
  }

  private static Supplier<Proof.Bearer> bearer(YamlMap root) {
    Supplier<Path> ca = root.path("ca").required();
    Supplier<Path> tokenFile = root.path(BEARER).required();
    return () -> new Proof.Bearer(ca.get(), tokenFile.get());
  }
}
