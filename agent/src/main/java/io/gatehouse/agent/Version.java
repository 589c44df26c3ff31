package io.gatehouse.agent;

import java.util.Optional;

/** The version of this build. */
final class Version {
  /** From the jar's manifest; "dev" outside a jar. */
  static final String TEXT =
      Optional.ofNullable(Version.class.getPackage().getImplementationVersion()).orElse("dev");

  private Version() {}
}
