package io.gatehouse.control.decide;

import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.decide.peering.PeeringCommand;
import io.gatehouse.control.decide.security.SecurityCommand;

/**
 * What somebody wants to happen. A command is a value: it can be decided again on a newer image.
 */
public sealed interface Command
    permits TenantCommand,
        NetworkCommand,
        PortCommand,
        DpuCommand,
        OperatorCommand,
        ReleaseVni,
        Command.OfIdentity,
        Command.OfSecurity,
        Command.OfPeering {

  Request request();

  /** Name of the resource that it is about. */
  String subject();

  /** One about security groups or quarantines; they have a package of their own. */
  record OfSecurity(Request request, SecurityCommand security) implements Command {
    @Override
    public String subject() {
      return security.subject();
    }
  }

  /** One about a peering; they have a package of their own. */
  record OfPeering(Request request, PeeringCommand peering) implements Command {
    @Override
    public String subject() {
      return peering.name().toString();
    }
  }

  /** One about authorities, certificates or tokens; they have a package of their own. */
  record OfIdentity(Request request, IdentityCommand identity) implements Command {
    @Override
    public String subject() {
      return identity.subject();
    }
  }
}
