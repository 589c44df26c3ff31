package io.gatehouse.model.security;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import io.gatehouse.model.net.MacAddress;
import java.util.Optional;

/**
 * Addresses that a host may use besides its own: a floating address, say, or those behind it.
 *
 * @param addresses not a whole address family
 * @param mac unicast; empty: the port's
 */
public record AddressPair(Cidr addresses, Optional<MacAddress> mac) {
  public AddressPair {
    boolean host = addresses.prefixLength() > 0 && !addresses.address().isMulticast();
    if (!host) {
      throw new InvalidValueException("ip_cidr", addresses, "is not a prefix of hosts");
    }
    mac.ifPresent(own -> Limits.unicast("mac_address", own));
  }
}
