package io.gatehouse.control.image.identity;

import java.time.Instant;
import java.util.Optional;

/**
 * An authority that signs certificates.
 *
 * @param id first 8 bytes of the SHA-256 of its key's SubjectPublicKeyInfo, hexadecimal
 * @param number its place in the row of authorities, from 1
 * @param notAfter end of its life
 * @param revokedAt since when what it has signed is refused
 */
public record Authority(
    String id,
    int number,
    Der certificate,
    Instant notAfter,
    State state,
    Optional<Instant> revokedAt) {
  /** What an authority does. */
  public enum State {
    /** Signs. */
    ISSUING,
    /** No longer signs; what it has signed is accepted. */
    RETIRING,
    /** What it has signed is refused. */
    REVOKED
  }

  /** The same, no longer signing. */
  public Authority retiring() {
    return new Authority(id, number, certificate, notAfter, State.RETIRING, revokedAt);
  }

  /** The same as the newest of all. */
  public Authority issuing(int newNumber) {
    return new Authority(id, newNumber, certificate, notAfter, State.ISSUING, Optional.empty());
  }

  Authority revoked(Instant time) {
    return new Authority(id, number, certificate, notAfter, State.REVOKED, Optional.of(time));
  }
}
