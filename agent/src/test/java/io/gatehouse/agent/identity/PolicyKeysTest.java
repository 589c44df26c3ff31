package io.gatehouse.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.wire.PolicySeals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPairGenerator;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PolicyKeysTest {
  @TempDir private Path folder;

  private static byte[] key(String algorithm) throws Exception {
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPublic().getEncoded();
  }

  @Test
  void whatWasWrittenIsRead() throws Exception {
    byte[] newest = key("Ed25519");
    byte[] previous = key("Ed25519");
    PolicyKeys keys = new PolicyKeys(folder);
    keys.replace(List.of(newest));
    keys.replace(List.of(newest, previous));
    assertThat(keys.current().keySet())
        .containsExactly(PolicySeals.keyId(newest), PolicySeals.keyId(previous));
    assertThat(keys.current().values())
        .extracting(Key::getEncoded)
        .containsExactly(newest, previous);
  }

  @Test
  void aKeyWrittenByOpensslIsRead() throws Exception {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "openssl genpkey -algorithm ed25519 | openssl pkey -pubout -out policy-keys.pem")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(new PolicyKeys(folder).current()).hasSize(1);
  }

  @Test
  void whatCannotBeUsedChangesNothing() throws Exception {
    byte[] good = key("Ed25519");
    PolicyKeys keys = new PolicyKeys(folder);
    keys.replace(List.of(good));
    for (List<byte[]> bad :
        List.of(
            List.<byte[]>of(),
            List.of(good, key("RSA")),
            List.of(new byte[] {1, 2, 3}),
            Collections.nCopies(5, good))) {
      assertThatThrownBy(() -> keys.replace(bad))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageStartingWith("policy_keys=");
    }
    assertThat(keys.current()).containsOnlyKeys(PolicySeals.keyId(good));
  }

  @Test
  void anUnusableFileIsNamed() throws Exception {
    PolicyKeys keys = new PolicyKeys(folder);
    assertThatThrownBy(keys::current)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("policy-keys.pem is not there");
    Path file = folder.resolve("policy-keys.pem");
    Files.writeString(file, "nothing");
    assertThatThrownBy(keys::current).hasMessageContaining("has 0 keys");
    Files.writeString(file, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");
    assertThatThrownBy(keys::current).hasMessageContaining("is no Ed25519 key");
    Files.write(file, new byte[20_000]);
    assertThatThrownBy(keys::current).hasMessageContaining("is larger than");
  }
}
