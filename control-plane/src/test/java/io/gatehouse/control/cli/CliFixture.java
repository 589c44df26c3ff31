package io.gatehouse.control.cli;

import io.gatehouse.control.cli.session.Terminal;
import io.gatehouse.runtime.tls.TestCertificates;
import io.gatehouse.runtime.tls.TlsFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/** Runs the command in this process against a fake control plane, three minutes after its clock. */
final class CliFixture implements AutoCloseable {
  private static final Instant NOW = Instant.parse("2026-08-01T10:03:00Z");

  final FakeControlPlane controlPlane;
  private final Path directory;

  CliFixture(Path directory) throws IOException {
    this.directory = directory;
    TestCertificates certificates = new TestCertificates(directory);
    certificates.authority("ca");
    certificates.leaf("server", "ca");
    certificates.leaf("operator", "ca");
    controlPlane = new FakeControlPlane(TlsFiles.open(certificates.paths("ca", "server")));
    context("context.yaml", "127.0.0.1:" + controlPlane.port());
  }

  /** What a run printed, and its exit code. */
  record Result(int code, String out, String err) {}

  /** Writes a context file beside the certificates. */
  void context(String name, String target) throws IOException {
    Files.writeString(
        directory.resolve(name),
        """
        target: %s
        server_name: localhost
        ca: ca.pem
        certificate: operator.pem
        key: operator.key
        """
            .formatted(target));
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  Result run(String... arguments) {
    return runWith("", arguments);
  }

  /** With text on standard input. */
  Result runWith(String in, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("GATEHOUSE_CONTEXT", file("context.yaml").toString()),
            directory,
            () -> NOW);
    int code = new GatehouseCli(terminal).run(arguments);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command that must succeed, and returns what it printed. */
  String ok(String... arguments) {
    Result result = run(arguments);
    if (result.code() != 0) {
      throw new AssertionError(result.toString());
    }
    return result.out();
  }

  @Override
  public void close() {
    controlPlane.close();
  }
}
