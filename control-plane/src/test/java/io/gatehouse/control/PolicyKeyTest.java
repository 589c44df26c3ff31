package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.control.testing.PkiLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One journal has one key that signs policy. */
class PolicyKeyTest {
  @TempDir Path directory;
  private PkiLab lab;
  private Path key;
  private Path previous;
  private String first;

  @BeforeEach
  void start() throws Exception {
    lab = new PkiLab(directory, Duration.ofDays(7));
    lab.close();
    key = lab.pki().resolve("policy.key");
    previous = lab.pki().resolve("policy-previous.key");
    first = fingerprint();
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void anotherKeyIsRefusedAtTheStart() throws Exception {
    Files.delete(key);
    String other = fingerprint();
    assertThat(other).isNotEqualTo(first);
    assertThatThrownBy(() -> lab.restart())
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("policy.key here is " + other + ", and the journal's is " + first);
  }

  @Test
  void aKeyThatFollowsIsTakenAndTheOldOneIsNotComeBackTo() throws Exception {
    Files.move(key, previous);
    lab.restart();
    lab.close();
    String second = fingerprint();
    Files.move(key, directory.resolve("second"));
    Files.copy(previous, key, StandardCopyOption.COPY_ATTRIBUTES);
    Files.delete(previous);
    assertThatThrownBy(() -> lab.restart())
        .hasMessageContaining("policy.key here is " + first + ", and the journal's is " + second);
    Files.move(directory.resolve("second"), key, StandardCopyOption.REPLACE_EXISTING);
    lab.restart();
    assertThat(lab.controlPlane().port()).isPositive();
  }

  /** Of the key that is there; one is made if there is none. */
  private String fingerprint() throws IOException {
    return Der.of(PolicySigner.open(lab.pki()).publicKeys().get(0)).fingerprint();
  }
}
