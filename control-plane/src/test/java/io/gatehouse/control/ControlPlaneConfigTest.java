package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.log.LogFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;
import picocli.CommandLine;

final class ControlPlaneConfigTest {
  private static final String GOOD =
      """
      listen: {address: 172.31.0.1, port: 8443}
      trust_domain: gatehouse.test
      pki: {directory: pki}
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
    assertThat(config.trustDomain()).isEqualTo("gatehouse.test");
    assertThat(config.pki().authorities().directory()).isEqualTo(directory.resolve("pki"));
    assertThat(config.journal().password()).isEqualTo("pass");
    assertThat(config.journal().user()).isEqualTo("gatehouse");
    assertThat(config.observe().getPort()).isEqualTo(9465);
    assertThat(config.log().format()).isEqualTo(LogFormat.JSON);
    assertThat(config.log().level()).isEqualTo(Level.WARN);
    assertThat(config.toString()).doesNotContain("pass\n").doesNotContain("password=pass");
  }

  @Test
  void issuersAndLimitsAreRead() throws IOException {
    Files.writeString(directory.resolve("secret"), "pass\n");
    AccessConfig access =
        ControlPlaneConfig.read(
                file(
                    GOOD
                        + """
                        bearer_listen: {address: 172.31.0.1, port: 8446}
                        oidc:
                          - {issuer: "https://a.example", audience: g, jwks_file: keys.json}
                          - issuer: https://b.example
                            audience: g
                            jwks_url: https://b.example/keys
                            role_claim: role
                            tenant_claim: org
                        limits: {calls_per_second: 7}
                        """))
            .access();
    assertThat(access.oidc()).hasSize(2);
    assertThat(access.oidc().get(0).jwksFile()).contains(directory.resolve("keys.json"));
    assertThat(access.oidc().get(0).roleClaim()).isEqualTo("gatehouse_role");
    assertThat(access.oidc().get(1).tenantClaim()).isEqualTo("org");
    assertThat(access.limits().callsPerSecond()).isEqualTo(7);
    assertThat(access.limits().callBurst()).isEqualTo(1_000);
  }

  @Test
  void anIssuerThatCannotBeTrustedIsRefused() throws IOException {
    Files.writeString(directory.resolve("secret"), "pass\n");
    refused("oidc: [{issuer: \"http://a\", audience: g, jwks_file: k}]", "is not an https URL");
    refused("oidc: [{issuer: \"https://a\", audience: g}]", "one of them");
    refused(
        "oidc: [{issuer: \"https://a\", audience: g, jwks_url: \"http://a/k\"}]",
        "is not an https URL");
    refused(
        "oidc: [{issuer: \"https://a\", audience: g, jwks_file: k, jwks_url: \"https://a/k\"}]",
        "one of them");
    refused(
        "oidc: [{issuer: \"https://a\", audience: g, jwks_file: k},"
            + " {issuer: \"https://a\", audience: h, jwks_file: k}]",
        "is there twice");
    refused("oidc: [{issuer: \"https://a\", jwks_file: k}]", "oidc[0].audience: is missing");
    refused("oidc: [{isuer: \"https://a\", audience: g, jwks_file: k}]", "isuer: is not known");
    refused("oidc: {issuer: x}", "stands where a list is needed");
    refused("limits: {calls_per_second: 0}", "limits.calls_per_second");
  }

  /** The only port without TLS is for this machine. */
  @Test
  void metricsAreOnALoopbackAddressOnly() throws IOException {
    Files.writeString(directory.resolve("secret"), "pass\n");
    Path file = file(GOOD.replace("observe: {address: 127.0.0.1", "observe: {address: 172.31.0.1"));
    assertThatThrownBy(() -> ControlPlaneConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("observe.address: 172.31.0.1 is not a loopback address");
  }

  private void refused(String section, String reason) throws IOException {
    Path file = file(GOOD + section + "\n");
    assertThatThrownBy(() -> ControlPlaneConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void everyProblemIsSaidAtOnceWithItsLine() throws IOException {
    Path file =
        file(
            """
            listen: {address: localhost, port: 99999}
            pki: {device_lifetime: never}
            trust_domian: gatehouse.test
            journal: {url: "jdbc:h2:mem"}
            log: {format: xml}
            """);
    assertThatThrownBy(() -> ControlPlaneConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(":1: listen.address: localhost")
        .hasMessageContaining(":1: listen.port: 99999")
        .hasMessageContaining(":2: pki.device_lifetime: never")
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
    ControlPlaneConfig.Pki pki = config.pki();
    assertThat(pki.authorities().directory()).isEqualTo(directory.resolve("keys"));
    assertThat(pki.authorities().serverNames()).containsExactly("172.31.0.1");
    assertThat(pki.authorities().deviceLifetime()).isEqualTo(Duration.ofDays(7));
    assertThat(pki.authorities().pkcs11()).isEmpty();
    assertThat(pki.enrollment().getAddress().getHostAddress()).isEqualTo("172.31.0.1");
    assertThat(pki.enrollment().getPort()).isEqualTo(8444);
  }

  @Test
  @DisplayName("F49: bearer tokens have issuers and an address, or neither")
  void issuersAndTheirAddressBelongTogether() throws IOException {
    Files.writeString(directory.resolve("secret"), "pass\n");
    String issuer = "oidc: [{issuer: \"https://a\", audience: g, jwks_file: k}]";
    refused(issuer, "bearer_listen: oidc is there alone");
    refused("bearer_listen: {address: 172.31.0.1}", "bearer_listen: it is there alone");
    Path both = file(GOOD + issuer + "\nbearer_listen: {address: 172.31.0.1}\n");
    assertThat(ControlPlaneConfig.read(both).access().bearerListen().orElseThrow().getPort())
        .isEqualTo(8445);
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
