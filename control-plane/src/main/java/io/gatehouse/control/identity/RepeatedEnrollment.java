package io.gatehouse.control.identity;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.Existence;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Holder;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.control.image.identity.UsedToken;
import io.gatehouse.control.pki.ExpiredCertificates;
import io.gatehouse.control.pki.PeerCertificates;
import io.gatehouse.proto.v1.Credential;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Answers one who has used a token and comes again with the same key, because the answer was lost
 * on its way: with the same certificate, for as long as the token would have worked. The
 * certificate is no secret, and of no use to anybody who has not the key.
 */
final class RepeatedEnrollment {
  private final Issuance issuance;
  private final String trustDomain;

  RepeatedEnrollment(Issuance issuance, String trustDomain) {
    this.issuance = issuance;
    this.trustDomain = trustDomain;
  }

  /**
   * Gives the certificate again.
   *
   * @param key that the caller has proved to have
   * @param machineSerialNumber as the machine tells it
   * @throws RefusedException if this is another key, or the certificate is not in force
   */
  CompletableFuture<Credential> answer(UsedToken used, PublicKey key, String machineSerialNumber) {
    Image image = issuance.image();
    Token token = used.token();
    X509Certificate certificate = ExpiredCertificates.read(used.certificate().toBytes());
    String bound = token.machineSerialNumber();
    if (!certificate.getPublicKey().equals(key)) {
      throw refused("token", "the token is used, by another key");
    }
    if (token.isExpired(issuance.now())) {
      throw refused("token", "the token has expired");
    }
    if (!bound.isEmpty() && !bound.equals(machineSerialNumber)) {
      throw refused("machine_serial_number", "the token is bound to another machine");
    }
    ShownCertificate shown =
        PeerCertificates.read(certificate, trustDomain)
            .orElseThrow(() -> refused("token", "its certificate names nobody here"));
    checkInForce(image, shown);
    Authority authority = image.identities().authority(shown.authority()).orElseThrow();
    return issuance.giveAgain(
        List.of(certificate, ExpiredCertificates.read(authority.certificate().toBytes())));
  }

  private static void checkInForce(Image image, ShownCertificate shown) {
    if (!Existence.of(shown.identity(), image)) {
      throw refused("identity", shown.identity() + " does not exist");
    }
    image
        .identities()
        .refusal(shown)
        .ifPresent(
            reason -> {
              throw refused("token", reason);
            });
    Holder holder = image.identities().holders().get(shown.identity());
    if (holder == null || !holder.serialNumber().equals(shown.serialNumber())) {
      throw refused("token", "the token is used, and its certificate was replaced");
    }
  }

  private static RefusedException refused(String field, String reason) {
    return new RefusedException(Kind.FAILED_PRECONDITION, field, reason);
  }
}
