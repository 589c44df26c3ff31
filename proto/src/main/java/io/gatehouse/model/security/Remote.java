package io.gatehouse.model.security;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import java.util.Optional;

/** The other end of a connection. */
public sealed interface Remote {
  /** The address family that it is of; empty: both. */
  default Optional<IpAddress.Family> family() {
    return Optional.empty();
  }

  /** Everybody whom the network reaches. */
  record Anywhere() implements Remote {}

  /** Those with an address in a prefix. */
  record Prefix(Cidr cidr) implements Remote {
    @Override
    public Optional<IpAddress.Family> family() {
      return Optional.of(cidr.address().family());
    }
  }

  /** The ports that have a group of the same tenant, by all their addresses. */
  record Group(SecurityGroupName group) implements Remote {}
}
