package io.gatehouse.model;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Limits;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A host's connection to one network, on one function of one DPU.
 *
 * @param function physical port name of the function, optionally after its PCI address
 * @param mac of the host's interface, unicast
 * @param addresses of the host's interface, 1 to 16
 * @param enabled false keeps it closed
 * @param security its groups are of its tenant
 * @param uid incarnation: a port made again under the same name has another one
 */
public record Port(
    PortName name,
    String displayName,
    DpuName dpu,
    String function,
    MacAddress mac,
    List<IpAddress> addresses,
    boolean enabled,
    PortSecurity security,
    RateLimits limits,
    String uid,
    Instant createdAt,
    Instant updatedAt) {
  public static final int MAX_ADDRESSES = 16;

  private static final Pattern FUNCTION = Pattern.compile("[a-zA-Z0-9.:/_-]{1,64}");

  public Port {
    addresses = List.copyOf(addresses);
    Limits.displayName("display_name", displayName);
    if (!FUNCTION.matcher(function).matches()) {
      throw new InvalidValueException(
          "function", function, "is not 1 to 64 of a-z, A-Z, 0-9 and \".:/_-\"");
    }
    Limits.unicast("mac_address", mac);
    for (SecurityGroupName group : security.groups()) {
      if (!group.tenant().equals(name.network().tenant())) {
        throw new InvalidValueException(
            "security_groups", group, "is not of " + name.network().tenant());
      }
    }
    Limits.range("ip_addresses.count", addresses.size(), 1, MAX_ADDRESSES);
    if (new HashSet<>(addresses).size() != addresses.size()) {
      throw new InvalidValueException("ip_addresses", addresses, "has an address twice");
    }
  }
}
