package io.gatehouse.model.policy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Limits;
import io.gatehouse.model.net.MacAddress;
import java.util.HashSet;
import java.util.List;

/** What the addresses of a port must be, wherever the port is. */
final class HostAddresses {
  private HostAddresses() {}

  /** Refuses what is not one host's: it would match other hosts' packets, or one flow twice. */
  static void check(MacAddress mac, List<IpAddress> addresses) {
    Limits.unicast("mac_address", mac);
    addresses.forEach(address -> Limits.unicast("ip_addresses", address));
    if (new HashSet<>(addresses).size() != addresses.size()) {
      throw new InvalidValueException("ip_addresses", addresses, "has an address twice");
    }
  }
}
