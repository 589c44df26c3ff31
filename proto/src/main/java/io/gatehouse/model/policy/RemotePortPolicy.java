package io.gatehouse.model.policy;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.PortSecurity;
import java.util.List;

/**
 * A port of one of this DPU's networks, on another DPU.
 *
 * @param uid incarnation, as in {@link LocalPortPolicy}
 * @param dpu where it is; the {@link VtepPolicy} of that name has the address
 */
public record RemotePortPolicy(
    PortName name,
    String uid,
    MacAddress mac,
    List<IpAddress> addresses,
    DpuName dpu,
    PortSecurity security)
    implements PolicyResource {
  public RemotePortPolicy {
    addresses = List.copyOf(addresses);
    HostAddresses.check(mac, addresses);
  }

  @Override
  public String key() {
    return name.toString();
  }
}
