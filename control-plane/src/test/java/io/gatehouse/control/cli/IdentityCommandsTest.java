package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.cli.session.Terminal;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.TokenText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about identities, against a real control plane. */
class IdentityCommandsTest {
  @TempDir Path directory;
  private PkiLab lab;
  private Instant now = Instant.now();
  private String errors = "";

  @BeforeEach
  void start() throws Exception {
    lab = new PkiLab(directory, Duration.ofDays(7));
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void afterLoginNoFlagsAreNeeded() throws Exception {
    assertThat(login(lab.adminTokenFile().toString()))
        .startsWith("logged in as operators/admin until ");
    assertThat(ok("tenant", "list")).startsWith("NAME");
    Path identity = directory.resolve("home/context-identity/identity.pem");
    assertThat(Files.getPosixFilePermissions(identity))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.readString(directory.resolve("home/context.yaml")))
        .doesNotContain("PRIVATE KEY");
  }

  @Test
  void aTokenIsTakenFromStandardInputAndRefusedWithoutBeingRepeated() throws Exception {
    String token = Files.readString(lab.adminTokenFile());
    assertThat(run(token, loginArguments("-"))).isZero();
    assertThat(run(token, loginArguments("-"))).as("used").isEqualTo(5);
    assertThat(errors).doesNotContain(token.strip());
    assertThat(run(token.substring(0, 30), loginArguments("-"))).isEqualTo(2);
    assertThat(errors).doesNotContain(token.substring(4, 30));
  }

  @Test
  void dpusAreLetInAndOut() throws Exception {
    login(lab.adminTokenFile().toString());
    ok("dpu", "create", "d1", "--vtep", "172.16.0.1");
    String token = ok("dpu", "enroll", "d1", "--serial-number", "SN1", "--lifetime", "5m").strip();
    assertThat(ok("token", "list")).contains("dpus/d1").contains("SN1").doesNotContain("gh1.");
    lab.controlPlane().enrollment().enroll(TokenText.parse(token), "SN1", PkiLab.LIMIT);
    assertThat(ok("token", "list").lines()).hasSize(1);
    assertThat(ok("certificate", "list", "--identity", "dpus/d1")).contains("GOOD");
    assertThat(ok("dpu", "revoke", "d1", "--reason", "stolen"))
        .contains("revoked dpus/d1")
        .contains("certificates refused: 1");
    assertThat(ok("certificate", "list", "--identity", "dpus/d1")).contains("REVOKED");
  }

  @Test
  void tokensAreWithdrawn() throws Exception {
    login(lab.adminTokenFile().toString());
    ok("dpu", "create", "d1", "--vtep", "172.16.0.1");
    ok("dpu", "enroll", "d1");
    String name = firstName(ok("token", "list"));
    assertThat(ok("token", "delete", name)).startsWith("withdrawn");
    assertThat(run("", "token", "delete", name)).isEqualTo(3);
  }

  @Test
  void authoritiesAreReplacedAndRevoked() throws Exception {
    login(lab.adminTokenFile().toString());
    String old = firstName(ok("authority", "list"));
    assertThat(run("", "authority", "revoke", old, "--reason", "x")).isEqualTo(4);
    assertThat(ok("authority", "rotate")).contains("signs from revision");
    assertThat(ok("authority", "list")).contains("ISSUING").contains(old).contains("RETIRING");
    BigInteger before = serial();
    now = now.plus(Duration.ofDays(24));
    ok("tenant", "list");
    assertThat(serial()).as("renewed on use after two thirds").isNotEqualTo(before);
    assertThat(ok("authority", "revoke", old, "--reason", "retired")).contains("revoked");
    assertThat(ok("authority", "list")).contains("REVOKED");
  }

  @Test
  void aFreshCertificateIsLeftAlone() throws Exception {
    login(lab.adminTokenFile().toString());
    BigInteger before = serial();
    now = now.plus(Duration.ofDays(19));
    ok("tenant", "list");
    assertThat(serial()).isEqualTo(before);
  }

  private static String firstName(String listing) {
    String row = listing.lines().skip(1).findFirst().orElseThrow();
    return row.substring(0, row.indexOf(' '));
  }

  private BigInteger serial() {
    return new IdentityFiles(directory.resolve("home/context-identity"))
        .read()
        .certificate()
        .getSerialNumber();
  }

  private String login(String tokenFile) {
    return ok(loginArguments(tokenFile));
  }

  private String[] loginArguments(String tokenFile) {
    return new String[] {
      "login",
      "--server",
      "127.0.0.1:" + lab.controlPlane().port(),
      "--enrollment-server",
      "127.0.0.1:" + lab.controlPlane().enrollmentPort(),
      "--token-file",
      tokenFile
    };
  }

  private String ok(String... arguments) {
    List<String> said = new ArrayList<>();
    assertThat(run("", said, arguments)).as("%s: %s", List.of(arguments), errors).isZero();
    return said.get(0);
  }

  private int run(String in, String... arguments) {
    return run(in, new ArrayList<>(), arguments);
  }

  private int run(String in, List<String> said, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("GATEHOUSE_CONTEXT", directory.resolve("home/context.yaml").toString()),
            directory,
            () -> now);
    int code = new GatehouseCli(terminal).run(arguments);
    said.add(out.toString(StandardCharsets.UTF_8));
    errors = err.toString(StandardCharsets.UTF_8);
    return code;
  }
}
