package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.time.Instant;

/**
 * A right to enrol once.
 *
 * @param id not secret
 * @param secretHash SHA-256 of the secret, hexadecimal
 * @param identity who may enrol
 * @param machineSerialNumber that the machine must tell; empty: any
 */
public record Token(
    String id,
    String secretHash,
    IdentityName identity,
    String machineSerialNumber,
    Instant createdAt,
    Instant expiresAt) {
  /** Whether it no longer works. */
  public boolean isExpired(Instant now) {
    return !now.isBefore(expiresAt);
  }
}
