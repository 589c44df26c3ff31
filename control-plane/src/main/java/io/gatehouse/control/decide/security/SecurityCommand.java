package io.gatehouse.control.decide.security;

/** Commands about what ports may do. */
public sealed interface SecurityCommand permits SecurityGroupCommand, QuarantineCommand {
  /** Name of what it is about. */
  String subject();
}
