package io.gatehouse.control.bench;

import com.google.protobuf.ByteString;
import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicySeals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Locale;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.bouncycastle.crypto.util.PublicKeyFactory;

/**
 * What a seal costs: signed and verified by the JDK and by Bouncy Castle, on one thread, in turns.
 * Prints microseconds a seal and their ratio.
 */
public final class SealBench {
  private static final int ROUNDS = 7;
  private static final int SEALS = 1_000;
  private static final DpuName DPU = new DpuName("dpu1");
  private static final ByteString HASH = ByteString.copyFrom(new byte[32]);

  private SealBench() {}

  private interface Work {
    boolean done(long revision) throws Exception;
  }

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createTempDirectory("seal-bench");
    PolicySigner signer = PolicySigner.open(directory);
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    compare(
        "sign",
        revision -> {
          Signature jdk = Signature.getInstance("Ed25519");
          jdk.initSign(pair.getPrivate());
          jdk.update(PolicySeals.signedBytes(DPU, revision, HASH));
          return jdk.sign().length == 64;
        },
        revision -> signer.seal(DPU, revision, HASH).getSignature().size() == 64);
    byte[] encoded = signer.publicKeys().get(0);
    PublicKey jdkKey =
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    Ed25519PublicKeyParameters castleKey =
        (Ed25519PublicKeyParameters) PublicKeyFactory.createKey(encoded);
    PolicySeal seal = signer.seal(DPU, 1, HASH);
    byte[] message = PolicySeals.signedBytes(DPU, 1, HASH);
    byte[] signature = seal.getSignature().toByteArray();
    compare(
        "verify",
        revision -> {
          Signature jdk = Signature.getInstance("Ed25519");
          jdk.initVerify(jdkKey);
          jdk.update(message);
          return jdk.verify(signature);
        },
        revision -> {
          Ed25519Signer castle = new Ed25519Signer();
          castle.init(false, castleKey);
          castle.update(message, 0, message.length);
          return castle.verifySignature(signature);
        });
    Files.delete(directory.resolve("policy.key"));
    Files.delete(directory);
  }

  /** The fastest of some rounds each: what the machine does beside only adds. */
  private static void compare(String what, Work jdk, Work castle) throws Exception {
    double jdkMicros = Double.MAX_VALUE;
    double castleMicros = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      jdkMicros = Math.min(jdkMicros, micros(jdk, round));
      castleMicros = Math.min(castleMicros, micros(castle, round));
    }
    System.out.printf(
        Locale.ROOT,
        "%s: JDK %.0f us, Bouncy Castle %.0f us, ratio %.1f%n",
        what,
        jdkMicros,
        castleMicros,
        jdkMicros / castleMicros);
  }

  private static double micros(Work work, int round) throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < SEALS; i++) {
      if (!work.done((long) round * SEALS + i)) {
        throw new IllegalStateException("no signature");
      }
    }
    return (System.nanoTime() - start) / 1e3 / SEALS;
  }
}
