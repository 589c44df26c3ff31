package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.runtime.identity.TokenText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AdminTokenCommandTest {
  @TempDir Path directory;

  @Test
  void whoeverHasTheFilesGetsBackIn() throws Exception {
    try (PkiLab lab = new PkiLab(directory, Duration.ofDays(1))) {
      lab.admin();
      lab.controlPlane().close();
      assertThat(run("admin-token", "--config", config().toString())).isZero();
      assertThat(Files.getPosixFilePermissions(lab.adminTokenFile()))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      lab.restart();
      TokenText token = TokenText.parse(Files.readString(lab.adminTokenFile()));
      assertThat(lab.enrolled(token).name()).isEqualTo("operators/admin");
    }
  }

  @Test
  void withoutAuthoritiesOfOurOwnThereIsNoToken() throws Exception {
    Path file = directory.resolve("tls.yaml");
    Files.writeString(
        file,
        """
        listen: {address: 127.0.0.1, port: 0}
        tls: {certificate: a.pem, key: a.key, client_ca: ca.pem}
        trust_domain: gatehouse.test
        journal: {url: "jdbc:sqlite:%s/journal.db"}
        """
            .formatted(directory));
    assertThat(run("admin-token", "--config", file.toString()))
        .isEqualTo(ControlPlaneMain.EXIT_CONFIG);
    assertThat(directory.resolve("journal.db")).doesNotExist();
  }

  private Path config() throws IOException {
    return Files.writeString(
        directory.resolve("control-plane.yaml"),
        """
        listen: {address: 127.0.0.1, port: 0}
        pki: {directory: pki, device_lifetime: 1d}
        trust_domain: %s
        journal: {url: "jdbc:sqlite:%s/journal.db"}
        """
            .formatted(TestPki.TRUST_DOMAIN, directory));
  }

  private static int run(String... arguments) {
    return new CommandLine(new ControlPlaneMain()).execute(arguments);
  }
}
