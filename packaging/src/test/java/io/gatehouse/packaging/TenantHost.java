package io.gatehouse.packaging;

import java.util.ArrayList;
import java.util.List;

/**
 * A tenant's host behind one function of one DPU.
 *
 * @param name the place's name, such as "acme-1"
 * @param dpu the DPU's number, from 1
 * @param function the DPU's function, pf0vf0 to pf0vf3
 * @param mac the host's MAC address
 * @param addresses with prefix lengths, such as "10.0.0.1/24"
 */
public record TenantHost(
    String name, int dpu, String function, String mac, List<String> addresses) {
  public TenantHost {
    addresses = List.copyOf(addresses);
  }

  /** Arguments of {@code lab} that make this host. */
  String[] addCommand() {
    List<String> command = new ArrayList<>(List.of("host", "add", name));
    command.addAll(List.of("--dpu", String.valueOf(dpu), "--function", function, "--mac", mac));
    addresses.forEach(address -> command.addAll(List.of("--ip", address)));
    return command.toArray(String[]::new);
  }
}
