package io.gatehouse.control.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.OpenSsl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authorities' keys in SoftHSM; the module reads its settings from the environment. */
class Pkcs11IT {
  private static final String PIN = "RECOGNISABLE-PIN";

  @TempDir Path directory;

  @BeforeEach
  void makeToken() throws Exception {
    Files.createDirectory(directory.resolve("tokens"));
    Files.writeString(
        directory.resolve("softhsm2.conf"),
        "directories.tokendir = " + directory.resolve("tokens") + "\nobjectstore.backend = file\n");
    Files.writeString(directory.resolve("pin"), PIN + "\n");
    run(
        "softhsm2-util",
        "--init-token",
        "--free",
        "--label",
        "gatehouse",
        "--pin",
        PIN,
        "--so-pin",
        "5678");
  }

  @Test
  void keysAreMadeFoundAgainAndNeverLeaveTheModule() throws Exception {
    process("found");
    process("issue");
    OpenSsl openssl = new OpenSsl(directory);
    assertThat(
            openssl.mustSay(
                "verify",
                "-x509_strict",
                "-CAfile",
                "root.pem",
                "-untrusted",
                "issuing.pem",
                "leaf.pem"))
        .contains("leaf.pem: OK");
    assertThat(Files.readString(directory.resolve("key-form"))).isEqualTo("null");
    assertThat(directory.resolve("pki")).as("no key file").doesNotExist();
  }

  @Test
  void aWrongPinIsSaidWithoutThePin() throws Exception {
    Files.writeString(directory.resolve("pin"), "RECOGNISABLE-WRONG-PIN");
    assertThat(process("found"))
        .contains("pki.pkcs11: slot 0 of")
        .contains("cannot be used")
        .doesNotContain("RECOGNISABLE-WRONG-PIN");
  }

  private String process(String step) throws Exception {
    return run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        Pkcs11Process.class.getName(),
        directory.toString(),
        step);
  }

  private String run(String... command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command));
    Path log = directory.resolve("run.log");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("SOFTHSM2_CONF", directory.resolve("softhsm2.conf").toString());
    Process process = builder.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(words + " does not end");
    }
    String said = Files.readString(log);
    boolean refused = said.contains("cannot be used");
    assertThat(process.exitValue() == 0 || refused).as(said).isTrue();
    assertThat(said).doesNotContain(PIN);
    return said;
  }
}
