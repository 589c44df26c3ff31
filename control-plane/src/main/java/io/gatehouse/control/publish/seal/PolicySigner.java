package io.gatehouse.control.publish.seal;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.protobuf.ByteString;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicySeals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Signs what DPUs are to hold (Ed25519, RFC 8032), with the key of {@code policy.key}. A key that
 * was replaced stays published as {@code policy-previous.key}, for seals on DPUs' disks. Control
 * planes of one fleet must have the same key. Safe for use by many threads.
 */
public final class PolicySigner {
  private static final String NEWEST = "policy.key";
  private static final String PREVIOUS = "policy-previous.key";

  /** Newest seals kept, so that a reconnect of the whole fleet signs nothing twice. */
  private static final int MAX_KEPT = 100_000;

  private final Ed25519PrivateKeyParameters key;
  private final Ed25519PublicKeyParameters publicKey;
  private final long keyId;
  private final List<byte[]> publicKeys;
  private final Cache<DpuName, Sealed> newest =
      CacheBuilder.newBuilder().maximumSize(MAX_KEPT).build();

  /** The newest seal of a DPU, and what it is over. */
  private record Sealed(long revision, ByteString inventoryHash, PolicySeal seal) {
    boolean isFor(long asked, ByteString hash) {
      return revision == asked && inventoryHash.equals(hash);
    }
  }

  private PolicySigner(Ed25519PrivateKeyParameters key, List<byte[]> publicKeys) {
    this.key = key;
    this.publicKey = key.generatePublicKey();
    this.keyId = PolicySeals.keyId(publicKeys.get(0));
    this.publicKeys = List.copyOf(publicKeys);
  }

  /**
   * Reads the key, or makes one at the first start.
   *
   * @param directory is made if it is not there
   * @throws io.gatehouse.model.net.InvalidValueException if a key file cannot be used
   */
  public static PolicySigner open(Path directory) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path newest = directory.resolve(NEWEST);
    Path previous = directory.resolve(PREVIOUS);
    Ed25519PrivateKeyParameters key =
        Files.exists(newest) ? PolicyKeyFile.read(newest) : PolicyKeyFile.make(newest);
    List<byte[]> publicKeys = new ArrayList<>();
    publicKeys.add(encoded(key));
    if (Files.exists(previous)) {
      publicKeys.add(encoded(PolicyKeyFile.read(previous)));
    }
    return new PolicySigner(key, publicKeys);
  }

  /** Keys whose seals agents may trust, DER SubjectPublicKeyInfo (RFC 8410), the newest first. */
  public List<byte[]> publicKeys() {
    return publicKeys.stream().map(byte[]::clone).toList();
  }

  /** The seal of a state; it is signed once. */
  public PolicySeal seal(DpuName dpu, long revision, ByteString inventoryHash) {
    Sealed kept = newest.getIfPresent(dpu);
    if (kept != null && kept.isFor(revision, inventoryHash)) {
      return kept.seal();
    }
    PolicySeal seal = sign(PolicySeals.signedBytes(dpu, revision, inventoryHash));
    newest.put(dpu, new Sealed(revision, inventoryHash, seal));
    return seal;
  }

  private PolicySeal sign(byte[] message) {
    byte[] signature = new byte[Ed25519PrivateKeyParameters.SIGNATURE_SIZE];
    Ed25519.sign(
        key.getEncoded(), 0, publicKey.getEncoded(), 0, message, 0, message.length, signature, 0);
    return PolicySeal.newBuilder()
        .setKeyId(keyId)
        .setSignature(ByteString.copyFrom(signature))
        .build();
  }

  private static byte[] encoded(Ed25519PrivateKeyParameters key) throws IOException {
    return SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(key.generatePublicKey())
        .getEncoded();
  }
}
