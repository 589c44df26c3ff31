package io.gatehouse.control.publish.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicySeals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PolicySignerTest {
  private static final DpuName D1 = new DpuName("d1");
  private static final ByteString HASH = ByteString.copyFrom(new byte[32]);

  @TempDir private Path folder = Path.of("");

  @Test
  void theKeyIsMadeOnceForItsOwnerAlone() throws IOException {
    PolicySigner first = PolicySigner.open(folder.resolve("pki"));
    Path key = folder.resolve("pki/policy.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    PolicySigner second = PolicySigner.open(folder.resolve("pki"));
    assertThat(second.publicKeys().get(0)).isEqualTo(first.publicKeys().get(0));
    assertThat(second.seal(D1, 3, HASH)).isEqualTo(first.seal(D1, 3, HASH));
    try (var files = Files.list(folder.resolve("pki"))) {
      assertThat(files).containsExactly(key);
    }
  }

  @Test
  void whoComesSecondTakesTheFirstOnesKey() throws IOException {
    Path file = folder.resolve("policy.key");
    byte[] first = PolicyKeyFile.make(file).getEncoded();
    assertThat(PolicyKeyFile.make(file).getEncoded()).isEqualTo(first);
  }

  @Test
  void theJdkVerifiesTheSeal() throws Exception {
    PolicySigner signer = PolicySigner.open(folder);
    PolicySeal seal = signer.seal(D1, 3, HASH);
    assertThat(seal.getKeyId()).isEqualTo(PolicySeals.keyId(signer.publicKeys().get(0)));
    assertThat(verifies(signer, D1, 3, seal)).isTrue();
    assertThat(verifies(signer, D1, 4, seal)).as("another revision").isFalse();
    assertThat(verifies(signer, new DpuName("d2"), 3, seal)).as("another DPU").isFalse();
  }

  @Test
  void opensslReadsTheKeyAndVerifiesTheSeal() throws Exception {
    PolicySigner signer = PolicySigner.open(folder);
    PolicySeal seal = signer.seal(D1, 3, HASH);
    Files.write(folder.resolve("text"), PolicySeals.signedBytes(D1, 3, HASH));
    Files.write(folder.resolve("signature"), seal.getSignature().toByteArray());
    String verify = "openssl pkeyutl -verify -rawin -inkey policy.key -in text -sigfile signature";
    assertThat(shell(verify)).contains("Verified Successfully");
    Files.write(folder.resolve("text"), PolicySeals.signedBytes(D1, 4, HASH));
    assertThat(shell(verify)).contains("Verification Failure");
  }

  @Test
  void aKeyMadeByOpensslIsUsedAndTheOneBeforeIsStillPublished() throws Exception {
    byte[] before = PolicySigner.open(folder).publicKeys().get(0);
    Files.move(folder.resolve("policy.key"), folder.resolve("policy-previous.key"));
    shell("openssl genpkey -algorithm ed25519 -out policy.key && chmod 600 policy.key");
    PolicySigner signer = PolicySigner.open(folder);
    assertThat(signer.publicKeys()).hasSize(2);
    assertThat(signer.publicKeys().get(1)).isEqualTo(before);
    assertThat(verifies(signer, D1, 3, signer.seal(D1, 3, HASH))).isTrue();
  }

  @Test
  void oneStateIsSignedOnce() throws IOException {
    PolicySigner signer = PolicySigner.open(folder);
    PolicySeal seal = signer.seal(D1, 3, HASH);
    signer.seal(new DpuName("d2"), 3, HASH);
    assertThat(signer.seal(D1, 3, HASH)).isSameAs(seal);
    assertThat(signer.seal(D1, 4, HASH)).isNotEqualTo(seal);
    ByteString other = ByteString.copyFrom(new byte[31]).concat(ByteString.copyFromUtf8("x"));
    assertThat(signer.seal(D1, 4, other)).isNotEqualTo(signer.seal(D1, 4, HASH));
  }

  @Test
  void aKeyFileThatCannotBeUsedIsNamedAndNotShown() throws Exception {
    Path key = folder.resolve("policy.key");
    shell("openssl genpkey -algorithm ed25519 -out policy.key && chmod 640 policy.key");
    assertThatThrownBy(() -> PolicySigner.open(folder))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("policy.key is open to others (rw-r-----)");
    shell("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out policy.key");
    shell("chmod 600 policy.key");
    assertThatThrownBy(() -> PolicySigner.open(folder))
        .hasMessageContaining("policy.key holds no Ed25519 key");
    Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n");
    assertThatThrownBy(() -> PolicySigner.open(folder))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("policy.key")
        .hasMessageNotContaining("c2VjcmV0");
    Files.writeString(key, "nothing");
    assertThatThrownBy(() -> PolicySigner.open(folder))
        .hasMessageContaining("policy.key holds no Ed25519 key");
    Files.write(key, new byte[20_000]);
    assertThatThrownBy(() -> PolicySigner.open(folder)).hasMessageContaining("is larger than");
  }

  private static boolean verifies(PolicySigner signer, DpuName dpu, long revision, PolicySeal seal)
      throws Exception {
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(
        KeyFactory.getInstance("Ed25519")
            .generatePublic(new X509EncodedKeySpec(signer.publicKeys().get(0))));
    verifier.update(PolicySeals.signedBytes(dpu, revision, HASH));
    return verifier.verify(seal.getSignature().toByteArray());
  }

  private String shell(String command) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }
}
