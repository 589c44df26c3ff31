package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.cli.session.Terminal;
import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestIssuer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with a bearer token, against a real control plane that takes them. */
class BearerLoginTest {
  @TempDir Path directory;
  private TestIssuer issuer;
  private PkiLab lab;
  private String said = "";
  private String errors = "";

  @BeforeEach
  void start() throws Exception {
    issuer = new TestIssuer(directory);
    lab = new PkiLab(directory, Duration.ofDays(7), issuer.access(PeerLimits.DEFAULT));
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void afterLoginTheTokenOfTheFileIsUsed() throws Exception {
    String token = issuer.token("fleet-admin");
    keep(token);
    assertThat(login()).as(errors).isZero();
    assertThat(said).startsWith("the token of " + tokenFile() + " is taken");
    assertThat(run("tenant", "create", "acme")).as(errors).isZero();
    assertThat(run("tenant", "list")).isZero();
    assertThat(said).contains("acme  ACTIVE");
    Path context = directory.resolve("home/context.yaml");
    assertThat(Files.readString(context)).contains("bearer_token_file: ").doesNotContain(token);
    assertThat(Files.getPosixFilePermissions(context))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aNewTokenCountsFromTheNextCommandOn() throws Exception {
    keep(issuer.token("auditor"));
    assertThat(login()).isZero();
    assertThat(run("tenant", "create", "acme")).isEqualTo(5);
    assertThat(errors).contains("is auditor and may not call");
    keep(issuer.token("fleet-operator"));
    assertThat(run("tenant", "create", "acme")).as(errors).isZero();
  }

  @Test
  void aRefusedTokenIsSaidPlainlyAndNotRepeated() throws Exception {
    String expired = issuer.token(TestIssuer.NAME, "auditor", Duration.ofMinutes(-5));
    keep(expired);
    assertThat(login()).isEqualTo(5);
    assertThat(errors)
        .isEqualTo(
            "gatehouse: the token has expired\ngatehouse: it is the one in "
                + tokenFile()
                + "; put a new one there\n");
    assertThat(directory.resolve("home/context.yaml")).as("not written").doesNotExist();
    keep(issuer.token("https://elsewhere.example", "auditor", Duration.ofMinutes(5)));
    assertThat(login()).isEqualTo(5);
    assertThat(errors).contains("the token is of an issuer that is not configured");
    keep("two words");
    assertThat(login()).isEqualTo(2);
    assertThat(errors).contains("holds no bearer token").doesNotContain("two words");
  }

  @Test
  void aWatchIsToldWhyItEnds() throws Exception {
    keep(issuer.token(TestIssuer.NAME, "auditor", Duration.ofSeconds(-50)));
    assertThat(login()).as(errors).isZero();
    assertThat(run("watch")).isEqualTo(5);
    assertThat(errors).contains("the token has expired").contains(tokenFile().toString());
  }

  @Test
  void aTokenThatOthersMayReadIsNotUsed() throws Exception {
    keep(issuer.token("auditor"));
    Files.setPosixFilePermissions(tokenFile(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(login()).isEqualTo(2);
    assertThat(errors).contains("is open to group or others (rw-r--r--); chmod 600 it");
  }

  @Test
  void optionsOfTheTwoWaysAreNotMixed() throws Exception {
    keep(issuer.token("auditor"));
    String server = "127.0.0.1:" + lab.controlPlane().bearerPort();
    String file = tokenFile().toString();
    assertThat(run("login", "--server", server, "--bearer-token-file", file)).isEqualTo(2);
    assertThat(errors).contains("--ca is missing");
    assertThat(run("login", "--server", server, "--bearer-token-file", file, "--token-file", file))
        .isEqualTo(2);
    assertThat(errors).contains("--token-file does not go with --bearer-token-file");
    assertThat(run("login", "--server", server, "--ca", file)).isEqualTo(2);
    assertThat(errors).contains("--ca goes with --bearer-token-file only");
  }

  private Path tokenFile() {
    return directory.resolve("bearer's token");
  }

  private void keep(String token) throws IOException {
    Files.deleteIfExists(tokenFile());
    Files.createFile(
        tokenFile(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(tokenFile(), token + "\n");
  }

  private int login() {
    return run(
        "login",
        "--server",
        "127.0.0.1:" + lab.controlPlane().bearerPort(),
        "--ca",
        lab.pki().resolve("root.pem").toString(),
        "--bearer-token-file",
        tokenFile().toString());
  }

  private int run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("GATEHOUSE_CONTEXT", directory.resolve("home/context.yaml").toString()),
            directory,
            InstantSource.system());
    int code = new GatehouseCli(terminal).run(arguments);
    said = out.toString(StandardCharsets.UTF_8);
    errors = err.toString(StandardCharsets.UTF_8);
    return code;
  }
}
