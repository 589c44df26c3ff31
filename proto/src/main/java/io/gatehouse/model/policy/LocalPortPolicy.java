package io.gatehouse.model.policy;

import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.RateLimits;
import java.util.List;
import java.util.Optional;

/**
 * A port on this DPU.
 *
 * @param uid incarnation: another one under the same name is another port
 * @param function the function of this DPU that the host uses, such as {@code pf0vf3}
 * @param addresses the only addresses that the host may use
 * @param enabled false keeps the port closed
 * @param quarantine cuts the port off
 */
public record LocalPortPolicy(
    PortName name,
    String uid,
    String function,
    MacAddress mac,
    List<IpAddress> addresses,
    boolean enabled,
    PortSecurity security,
    RateLimits limits,
    Optional<Quarantine> quarantine)
    implements PolicyResource {
  public LocalPortPolicy {
    addresses = List.copyOf(addresses);
    HostAddresses.check(mac, addresses);
  }

  @Override
  public String key() {
    return name.toString();
  }
}
