package io.gatehouse.control.decide;

/**
 * What somebody wants to happen. A command is a value: it can be decided again on a newer image.
 */
public sealed interface Command
    permits TenantCommand, NetworkCommand, PortCommand, DpuCommand, OperatorCommand, ReleaseVni {

  Request request();

  /** Name of the resource that it is about. */
  String subject();
}
