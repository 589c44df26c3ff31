package io.gatehouse.agent.subscribe;

import com.google.protobuf.ByteString;
import io.gatehouse.agent.subscribe.PolicyRefusedException.Reason;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicySeals;
import io.gatehouse.wire.PolicyVersions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Collection;
import java.util.Map;

/**
 * Decides whether a policy comes from those who may say what this DPU holds. It goes by the seal
 * alone (Ed25519, RFC 8032), wherever the policy comes from: the wire or the disk.
 */
public final class PolicyTrust {
  private static final int MAX_NAME = 140;

  private final DpuName dpu;
  private final Keys keys;

  /** Where the keys are. */
  public interface Keys {
    /** The keys to trust now, by {@link PolicySeals#keyId}. */
    Map<Long, PublicKey> current() throws IOException;
  }

  /**
   * Trusts keys for one DPU.
   *
   * @param keys asked at every check, so that new ones count at once
   */
  public PolicyTrust(DpuName dpu, Keys keys) {
    this.dpu = dpu;
    this.keys = keys;
  }

  DpuName dpu() {
    return dpu;
  }

  /** Checks that a state was signed for this DPU. */
  void checkSeal(long revision, ByteString inventoryHash, PolicySeal seal)
      throws PolicyRefusedException {
    if (seal.getSignature().isEmpty()) {
      throw new PolicyRefusedException(Reason.UNSIGNED, "revision " + revision + " is not signed");
    }
    byte[] signed = PolicySeals.signedBytes(dpu, revision, inventoryHash);
    if (!verifies(key(revision, seal), signed, seal.getSignature())) {
      throw new PolicyRefusedException(
          Reason.BAD_SIGNATURE,
          "the signature of revision " + revision + " is not over it for " + dpu);
    }
  }

  /** Checks that contents are what their versions, and so the signature, are over. */
  void checkContents(Collection<PolicyResource> resources) throws PolicyRefusedException {
    for (PolicyResource resource : resources) {
      if (PolicyVersions.of(resource) != resource.getVersion()) {
        throw new PolicyRefusedException(
            Reason.ALTERED, shown(resource.getName()) + " is not what its version says");
      }
    }
  }

  /** Checks that time does not go back. */
  void checkRevision(long held, long revision) throws PolicyRefusedException {
    if (revision < held) {
      throw new PolicyRefusedException(
          Reason.OLDER, "revision " + revision + " is older than " + held + ", which is held");
    }
  }

  /** A name that was not checked may be as long as a message. */
  private static String shown(String name) {
    return name.substring(0, Math.min(name.length(), MAX_NAME));
  }

  private PublicKey key(long revision, PolicySeal seal) throws PolicyRefusedException {
    String name = "key " + Long.toHexString(seal.getKeyId()) + ", which signed revision ";
    try {
      PublicKey key = keys.current().get(seal.getKeyId());
      if (key != null) {
        return key;
      }
    } catch (IOException e) {
      throw new PolicyRefusedException(
          Reason.UNKNOWN_KEY, name + revision + ", cannot be checked: " + e.getMessage());
    }
    throw new PolicyRefusedException(Reason.UNKNOWN_KEY, name + revision + ", is not trusted");
  }

  private static boolean verifies(PublicKey key, byte[] signed, ByteString signature) {
    try {
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update(signed);
      return verifier.verify(signature.toByteArray());
    } catch (SignatureException e) {
      // Not a signature at all.
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }
}
