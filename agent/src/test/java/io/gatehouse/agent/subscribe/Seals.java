package io.gatehouse.agent.subscribe;

import com.google.protobuf.ByteString;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicySeals;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;

/** One who signs policies, with a key of its own. */
final class Seals {
  static final DpuName DPU = new DpuName("d1");

  /** The one whom the agents of the tests trust. */
  static final Seals TRUSTED = new Seals();

  private final KeyPair pair;

  Seals() {
    try {
      pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  PolicySeal seal(DpuName dpu, long revision, ByteString inventoryHash) {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(pair.getPrivate());
      signer.update(PolicySeals.signedBytes(dpu, revision, inventoryHash));
      return PolicySeal.newBuilder()
          .setKeyId(keyId())
          .setSignature(ByteString.copyFrom(signer.sign()))
          .build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For the tests' DPU. */
  PolicySeal seal(long revision, ByteString inventoryHash) {
    return seal(DPU, revision, inventoryHash);
  }

  /** The tests' DPU trusts this one alone. */
  PolicyTrust trust() {
    return new PolicyTrust(DPU, this::keys);
  }

  Map<Long, PublicKey> keys() {
    return Map.of(keyId(), pair.getPublic());
  }

  private long keyId() {
    return PolicySeals.keyId(pair.getPublic().getEncoded());
  }
}
