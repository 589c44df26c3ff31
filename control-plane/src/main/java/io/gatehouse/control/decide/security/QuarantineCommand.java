package io.gatehouse.control.decide.security;

import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.QuarantineTarget;
import java.util.Optional;

/** Commands about a quarantine. */
public sealed interface QuarantineCommand extends SecurityCommand {
  QuarantineTarget target();

  /** The tenant that the caller is an operator of; empty for those who run the fleet. */
  Optional<TenantName> caller();

  @Override
  default String subject() {
    return target().name();
  }

  /** Cuts something off, or changes how. */
  record SetQuarantine(QuarantineTarget target, Quarantine quarantine, Optional<TenantName> caller)
      implements QuarantineCommand {}

  /** Ends a quarantine. */
  record ReleaseQuarantine(QuarantineTarget target, Optional<TenantName> caller)
      implements QuarantineCommand {}
}
