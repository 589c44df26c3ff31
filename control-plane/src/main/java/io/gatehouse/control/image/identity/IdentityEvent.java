package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.util.Optional;

/** Something that happened to authorities, certificates or tokens. */
public sealed interface IdentityEvent {
  /** The root of all certificates was made. */
  record RootEstablished(Der certificate) implements IdentityEvent {}

  /** Policy is signed with this key: its public half, a SubjectPublicKeyInfo. */
  record PolicyKeyPut(Der publicKey) implements IdentityEvent {}

  /** An authority was made or has changed its state. */
  record AuthorityPut(Authority authority) implements IdentityEvent {}

  /** What an authority has signed is refused. */
  record AuthorityRevoked(String id, String reason) implements IdentityEvent {}

  /** A right to enrol was given. */
  record TokenPut(Token token) implements IdentityEvent {}

  /**
   * A token was used.
   *
   * @param certificate that was given for it; empty in journals of before it was kept
   */
  record TokenUsed(String id, Optional<Der> certificate) implements IdentityEvent {}

  /** A token was withdrawn. */
  record TokenWithdrawn(String id) implements IdentityEvent {}

  /**
   * A certificate was issued.
   *
   * @param recoverySignedAtMillis of the proof, for one in place of an expired one; else 0
   */
  record CertificateIssued(CertificateRecord certificate, long recoverySignedAtMillis)
      implements IdentityEvent {}

  /** All certificates that an identity has are refused, and its tokens are gone. */
  record IdentityRevoked(IdentityName identity, String reason) implements IdentityEvent {}
}
