package io.gatehouse.model.security;

import java.time.Instant;

/**
 * A quarantine that was set and not released.
 *
 * @param setBy who has set it, such as {@code operators/admin}
 * @param byFleet whether that is one of those who run the fleet, and not of a tenant
 * @param setAt by the control plane's clock
 */
public record StandingQuarantine(
    QuarantineTarget target, Quarantine quarantine, String setBy, boolean byFleet, Instant setAt) {}
