package io.gatehouse.agent.identity;

import java.time.Instant;
import java.util.Optional;

/**
 * How the identity is.
 *
 * @param notAfter end of the certificate's life; empty if there is none
 * @param problem what stands in the way of a certificate that stays valid; empty if nothing
 */
public record IdentityStatus(Optional<Instant> notAfter, String problem) {}
