package io.gatehouse.control.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.Recover;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.pki.ExpiredCertificates;
import io.gatehouse.control.pki.PeerCertificates;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Credential;
import io.gatehouse.proto.v1.RecoverCertificateRequest;
import io.gatehouse.runtime.identity.PossessionProof;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Checks what comes with an expired certificate (F35), and has it replaced. */
final class Recovery {
  private static final int MAX_CERTIFICATES = 4;
  private static final int MAX_BYTES = 4_096;

  /** How far a proof's time may be from ours, either way. */
  private static final Duration TOLERATED = Duration.ofHours(1);

  private final Issuance issuance;
  private final String trustDomain;

  Recovery(Issuance issuance, String trustDomain) {
    this.issuance = issuance;
    this.trustDomain = trustDomain;
  }

  /**
   * Replaces the certificate.
   *
   * @param key the new one
   * @param known told whose it is, as soon as the old certificate is verified
   */
  CompletableFuture<Credential> recover(
      RecoverCertificateRequest request, PublicKey key, Consumer<IdentityName> known) {
    X509Certificate expired = expired(request.getExpiredChainList());
    ShownCertificate shown =
        PeerCertificates.read(expired, trustDomain)
            .orElseThrow(() -> refused("expired_chain", "the certificate names nobody here"));
    Authority authority =
        issuance
            .image()
            .identities()
            .authority(shown.authority())
            .orElseThrow(() -> refused("expired_chain", "the authority is not known"));
    if (!ExpiredCertificates.isSignedBy(expired, authority.certificate().toBytes())) {
      throw refused("expired_chain", "the certificate is not of its authority");
    }
    known.accept(shown.identity());
    checkProof(request, expired);
    return issuance.give(
        shown.identity(),
        key,
        issued -> new Recover(shown, request.getSignedAtMillis(), issued.entry()));
  }

  private void checkProof(RecoverCertificateRequest request, X509Certificate expired) {
    Instant signed = Instant.ofEpochMilli(request.getSignedAtMillis());
    Duration apart = Duration.between(signed, issuance.now()).abs();
    if (apart.compareTo(TOLERATED) > 0) {
      throw refused(
          "signed_at_millis", "the proof's time is " + apart + " from the control plane's");
    }
    boolean valid =
        PossessionProof.isValid(
            expired.getPublicKey(),
            request.getPossessionProof().toByteArray(),
            request.getSignedAtMillis(),
            request.getCertificateRequest().toByteArray());
    if (!valid) {
      throw refused("possession_proof", "the proof is not of the certificate's key");
    }
  }

  private static X509Certificate expired(List<ByteString> chain) {
    if (chain.isEmpty() || chain.size() > MAX_CERTIFICATES) {
      throw new InvalidValueException(
          "expired_chain", chain.size() + " elements", "are outside 1.." + MAX_CERTIFICATES);
    }
    for (ByteString certificate : chain) {
      if (certificate.size() > MAX_BYTES) {
        throw new InvalidValueException(
            "expired_chain", certificate.size() + " bytes", "are more than " + MAX_BYTES);
      }
    }
    return ExpiredCertificates.read(chain.get(0).toByteArray());
  }

  private static RefusedException refused(String field, String reason) {
    return new RefusedException(Kind.FAILED_PRECONDITION, field, reason);
  }
}
