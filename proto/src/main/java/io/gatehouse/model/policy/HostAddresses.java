package io.gatehouse.model.policy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.HashSet;
import java.util.List;

/** What the addresses of a port must be, wherever the port is. */
final class HostAddresses {
  private HostAddresses() {}

  /** Refuses what is not one host's: it would match other hosts' packets, or one flow twice. */
  static void check(MacAddress mac, List<IpAddress> addresses) {
    if (mac.isGroup() || mac.equals(MacAddress.ZERO)) {
      throw new InvalidValueException("mac_address", mac, "is not a unicast address");
    }
    for (IpAddress address : addresses) {
      if (address.isUnspecified() || address.isMulticast()) {
        throw new InvalidValueException("ip_addresses", address, "is not a unicast address");
      }
    }
    if (new HashSet<>(addresses).size() != addresses.size()) {
      throw new InvalidValueException("ip_addresses", addresses, "has an address twice");
    }
  }
}
