package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.TestAuthority;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.TokenText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the program does with an identity before anything runs, and {@code enroll}. */
final class IdentityStartTest {
  @TempDir private Path folder;

  private record Ended(int status, String errors) {}

  private static Ended ended(IntSupplier command) {
    PrintStream before = System.err;
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      return new Ended(command.getAsInt(), errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }

  private Path config(String enrollment) throws IOException {
    Path file = folder.resolve("agent.yaml");
    Files.writeString(
        file,
        """
        dpu: d1
        vtep: {address: 192.0.2.1}
        control_plane: {target: "127.0.0.1:1", server_name: localhost}
        identity: {directory: identity, token_file: token, enrollment_target: ["%s"]}
        state_directory: state
        socket: agent.sock
        """
            .formatted(enrollment));
    return file;
  }

  private static Ended run(Object command, String... arguments) {
    return ended(() -> new CommandLine(command).execute(arguments));
  }

  @Test
  void anotherDpusCertificateStopsTheStart() throws IOException {
    Instant now = Instant.now();
    new IdentityFiles(folder.resolve("identity"))
        .save(
            new TestAuthority("root")
                .identity(
                    "spiffe://gatehouse.test/dpu/d2",
                    now.minusSeconds(60),
                    now.plusSeconds(3_600)));
    Ended run = run(new AgentMain.Run(), "--config", config("127.0.0.1:1").toString());
    assertThat(run.status()).isEqualTo(78);
    assertThat(run.errors())
        .contains("dpu=d1 is not the DPU that the certificate was given to")
        .contains("spiffe://gatehouse.test/dpu/d2");
    assertThat(folder.resolve("state")).as("nothing was begun").doesNotExist();
  }

  @Test
  void enrollTradesATokenForACertificate() throws Exception {
    try (FakeCloud cloud = new FakeCloud(folder.resolve("cloud"))) {
      Files.writeString(folder.resolve("token"), cloud.token().text());
      String config = config(cloud.enrollmentTarget().toString()).toString();
      assertThat(run(new EnrollCommand(), "--config", config)).isEqualTo(new Ended(0, ""));
      assertThat(folder.resolve("token")).doesNotExist();
      assertThat(new IdentityFiles(folder.resolve("identity")).exist()).isTrue();
      assertThat(folder.resolve("identity/policy-keys.pem")).exists();
    }
  }

  @Test
  void enrollSaysWhyNot() throws Exception {
    try (FakeCloud cloud = new FakeCloud(folder.resolve("cloud"))) {
      String config = config(cloud.enrollmentTarget().toString()).toString();
      Ended none = run(new EnrollCommand(), "--config", config);
      assertThat(none.status()).isEqualTo(69);
      assertThat(none.errors()).contains("token is not there");
      TokenText wrong = TokenText.of(unknownSecret(), cloud.authority.root());
      Path file = folder.resolve("elsewhere");
      Files.writeString(file, wrong.text());
      Ended refused = run(new EnrollCommand(), "--config", config, "--token-file", file.toString());
      assertThat(refused.status()).isEqualTo(77);
      assertThat(refused.errors()).contains("PERMISSION_DENIED").doesNotContain(wrong.text());
      assertThat(file).exists();
    }
  }

  private static byte[] unknownSecret() {
    byte[] secret = new byte[TokenText.PART_BYTES];
    secret[0] = 1;
    return secret;
  }
}
