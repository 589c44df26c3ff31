package io.gatehouse.control.journal.identity;

import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityPut;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.CertificateIssued;
import io.gatehouse.control.image.identity.IdentityEvent.IdentityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.PolicyKeyPut;
import io.gatehouse.control.image.identity.IdentityEvent.RootEstablished;
import io.gatehouse.control.image.identity.IdentityEvent.TokenPut;
import io.gatehouse.control.image.identity.IdentityEvent.TokenUsed;
import io.gatehouse.control.image.identity.IdentityEvent.TokenWithdrawn;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.storage.v1.Event;
import io.gatehouse.proto.storage.v1.Revocation;
import io.gatehouse.proto.storage.v1.TokenUse;
import java.util.Optional;

/** Events about identities as stored messages. */
public final class IdentityEventCodec {
  private IdentityEventCodec() {}

  /** Puts the event into a message. */
  public static void encode(IdentityEvent event, Event.Builder message) {
    if (event instanceof RootEstablished established) {
      message.setRootEstablished(IdentityRecords.encode(established.certificate()));
    } else if (event instanceof PolicyKeyPut put) {
      message.setPolicyKeyPut(IdentityRecords.encode(put.publicKey()));
    } else if (event instanceof AuthorityPut put) {
      message.setAuthorityPut(IdentityRecords.encode(put.authority()));
    } else if (event instanceof AuthorityRevoked revoked) {
      message.setAuthorityRevoked(revocation(revoked.id(), revoked.reason()));
    } else if (event instanceof TokenPut put) {
      message.setTokenPut(IdentityRecords.encode(put.token()));
    } else if (event instanceof TokenUsed used) {
      encode(used, message);
    } else if (event instanceof TokenWithdrawn withdrawn) {
      message.setTokenWithdrawn(withdrawn.id());
    } else if (event instanceof CertificateIssued issued) {
      message.setCertificateIssued(
          io.gatehouse.proto.storage.v1.CertificateIssued.newBuilder()
              .setCertificate(IdentityRecords.encode(issued.certificate()))
              .setRecoverySignedAtMillis(issued.recoverySignedAtMillis()));
    } else if (event instanceof IdentityRevoked revoked) {
      message.setIdentityRevoked(revocation(revoked.identity().toString(), revoked.reason()));
    }
  }

  /**
   * Reads one event about identities.
   *
   * @throws InvalidValueException if it makes no valid one
   */
  public static IdentityEvent decode(Event message) {
    return switch (message.getEventCase()) {
      case ROOT_ESTABLISHED ->
          new RootEstablished(IdentityRecords.der(message.getRootEstablished()));
      case AUTHORITY_PUT -> new AuthorityPut(IdentityRecords.decode(message.getAuthorityPut()));
      case AUTHORITY_REVOKED ->
          new AuthorityRevoked(
              message.getAuthorityRevoked().getName(), message.getAuthorityRevoked().getReason());
      case TOKEN_PUT -> new TokenPut(IdentityRecords.decode(message.getTokenPut()));
      case TOKEN_USED -> new TokenUsed(message.getTokenUsed(), Optional.empty());
      case TOKEN_REDEEMED ->
          new TokenUsed(
              message.getTokenRedeemed().getId(),
              Optional.of(IdentityRecords.der(message.getTokenRedeemed().getCertificate())));
      case POLICY_KEY_PUT -> new PolicyKeyPut(IdentityRecords.der(message.getPolicyKeyPut()));
      case TOKEN_WITHDRAWN -> new TokenWithdrawn(message.getTokenWithdrawn());
      case CERTIFICATE_ISSUED ->
          new CertificateIssued(
              IdentityRecords.decode(message.getCertificateIssued().getCertificate()),
              message.getCertificateIssued().getRecoverySignedAtMillis());
      case IDENTITY_REVOKED ->
          new IdentityRevoked(
              IdentityRecords.identity(message.getIdentityRevoked().getName()),
              message.getIdentityRevoked().getReason());
      default ->
          throw new InvalidValueException(
              "event", message.getEventCase(), "is not about identities");
    };
  }

  private static void encode(TokenUsed used, Event.Builder message) {
    if (used.certificate().isEmpty()) {
      message.setTokenUsed(used.id());
      return;
    }
    message.setTokenRedeemed(
        TokenUse.newBuilder()
            .setId(used.id())
            .setCertificate(IdentityRecords.encode(used.certificate().get())));
  }

  private static Revocation revocation(String name, String reason) {
    return Revocation.newBuilder().setName(name).setReason(reason).build();
  }
}
