package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.log.LogFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;
import picocli.CommandLine;

final class ControlPlaneConfigTest {
  private static final String GOOD =
      """
      listen: {address: 172.31.0.1, port: 8443}
      tls: {certificate: server.pem, key: server.key, client_ca: ca.pem}
      trust_domain: gatehouse.test
      journal:
        url: "jdbc:postgresql://127.0.0.1:5432/gatehouse"
        user: gatehouse
        password_file: secret
      observe: {address: 127.0.0.1, port: 9465}
      log: {format: json, level: warn}
      """;

  @TempDir Path directory = Path.of("");

  @Test
  void everySettingIsRead() throws IOException {
    Files.writeString(directory.resolve("secret"), "pass\n");
    ControlPlaneConfig config = ControlPlaneConfig.read(file(GOOD));
    assertThat(config.listen().getAddress().getHostAddress()).isEqualTo("172.31.0.1");
    assertThat(config.listen().getPort()).isEqualTo(8443);
    assertThat(config.tls().orElseThrow().ca()).isEqualTo(directory.resolve("ca.pem"));
    assertThat(config.trustDomain()).isEqualTo("gatehouse.test");
    assertThat(config.journal().password()).isEqualTo("pass");
    assertThat(config.journal().user()).isEqualTo("gatehouse");
    assertThat(config.observe().getPort()).isEqualTo(9465);
    assertThat(config.log().format()).isEqualTo(LogFormat.JSON);
    assertThat(config.log().level()).isEqualTo(Level.WARN);
    assertThat(config.toString()).doesNotContain("pass\n").doesNotContain("password=pass");
  }

  @Test
  void everyProblemIsSaidAtOnceWithItsLine() throws IOException {
    Path file =
        file(
            """
            listen: {address: localhost, port: 99999}
            tls: {certificate: server.pem, key: server.key}
            trust_domian: gatehouse.test
            journal: {url: "jdbc:h2:mem"}
            log: {format: xml}
            """);
    assertThatThrownBy(() -> ControlPlaneConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(":1: listen.address: localhost")
        .hasMessageContaining(":1: listen.port: 99999")
        .hasMessageContaining(":2: tls.client_ca: is missing")
        .hasMessageContaining(":3: trust_domian: is not known; did you mean trust_domain?")
        .hasMessageContaining("trust_domain: is missing")
        .hasMessageContaining(":4: journal.url: jdbc:h2:mem is neither")
        .hasMessageContaining(":5: log.format: xml");
  }

  @Test
  void authoritiesOfOurOwnHaveDefaults() throws IOException {
    ControlPlaneConfig config =
        ControlPlaneConfig.read(
            file(
                """
                listen: {address: 172.31.0.1}
                pki: {directory: keys}
                trust_domain: gatehouse.test
                journal: {url: "jdbc:sqlite:/journal.db"}
                """));
    ControlPlaneConfig.Pki pki = config.pki().orElseThrow();
    assertThat(config.tls()).isEmpty();
    assertThat(pki.authorities().directory()).isEqualTo(directory.resolve("keys"));
    assertThat(pki.authorities().serverNames()).containsExactly("172.31.0.1");
    assertThat(pki.authorities().deviceLifetime()).isEqualTo(Duration.ofDays(7));
    assertThat(pki.authorities().pkcs11()).isEmpty();
    assertThat(pki.enrollment().getAddress().getHostAddress()).isEqualTo("172.31.0.1");
    assertThat(pki.enrollment().getPort()).isEqualTo(8444);
  }

  @Test
  void f49CertificatesComeFromExactlyOnePlace() throws IOException {
    String rest =
        """
        listen: {address: 172.31.0.1}
        trust_domain: gatehouse.test
        journal: {url: "jdbc:sqlite:/journal.db"}
        """;
    Path none = file(rest);
    assertThatThrownBy(() -> ControlPlaneConfig.read(none))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("pki: it and tls are both missing");
    Path both =
        file(
            rest
                + "pki: {directory: keys, device_lifetime: 30s}\n"
                + "tls: {certificate: a, key: b, client_ca: c}\n");
    assertThatThrownBy(() -> ControlPlaneConfig.read(both))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("pki.device_lifetime: 30s is outside 1m..90d");
    Path two =
        file(rest + "pki: {directory: keys}\n" + "tls: {certificate: a, key: b, client_ca: c}\n");
    assertThatThrownBy(() -> ControlPlaneConfig.read(two))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("pki: it and tls are both there");
  }

  @Test
  void theProgramSaysWhatIsWrongByItsExitCode() throws IOException {
    CommandLine program = new CommandLine(new ControlPlaneMain());
    assertThat(program.execute("check-config", "--config", file("listen: 3").toString()))
        .isEqualTo(ControlPlaneMain.EXIT_CONFIG);
    assertThat(program.execute("run", "--config", directory.resolve("none").toString()))
        .isEqualTo(ControlPlaneMain.EXIT_CONFIG);
    assertThat(program.execute("run")).isEqualTo(CommandLine.ExitCode.USAGE);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("control-plane.yaml"), text);
  }
}
