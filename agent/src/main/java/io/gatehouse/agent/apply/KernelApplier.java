package io.gatehouse.agent.apply;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.device.netlink.LinkAddress;
import io.gatehouse.agent.device.netlink.NetlinkClient;
import io.gatehouse.agent.device.netlink.Route;
import io.gatehouse.agent.device.nft.GuardTable;
import io.gatehouse.agent.device.sysfs.IfaceSysctl;
import io.gatehouse.agent.state.Underlay;
import io.gatehouse.agent.state.change.KernelChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Tells the DPU's own network stack how to treat the devices of the bridge. */
public final class KernelApplier {
  private final NetlinkClient netlink;
  private final GuardTable guard;
  private final IfaceSysctl sysctl;

  public KernelApplier(NetlinkClient netlink, GuardTable guard, IfaceSysctl sysctl) {
    this.netlink = netlink;
    this.guard = guard;
    this.sysctl = sysctl;
  }

  /** Closes what must be closed: guards go up and IPv6 goes off before a device is used. */
  public void close(KernelChange change) throws DeviceException {
    if (!change.guard().isEmpty()) {
      guard.guard(new HashSet<>(change.guard()), Set.of());
    }
    for (String device : change.disableIpv6()) {
      sysctl.setIpv6(device, IfaceSysctl.Ipv6.OFF);
    }
  }

  /** Opens what may be open: devices go up, the VTEP's address comes back, old guards go. */
  public void open(KernelChange change) throws DeviceException {
    boolean needsLinks = !change.setUp().isEmpty() || change.restoreUnderlay().isPresent();
    Map<String, Integer> indexes = needsLinks ? indexes() : Map.of();
    for (String device : change.setUp()) {
      netlink.setAdmin(index(indexes, device), Link.AdminState.UP);
    }
    if (change.restoreUnderlay().isPresent()) {
      restore(change.restoreUnderlay().get(), indexes);
    }
    if (!change.unguard().isEmpty()) {
      guard.guard(Set.of(), new HashSet<>(change.unguard()));
    }
  }

  private void restore(Underlay underlay, Map<String, Integer> indexes) throws DeviceException {
    int index = index(indexes, underlay.device());
    netlink.replaceAddress(new LinkAddress(index, underlay.address(), underlay.prefixLength()));
    netlink.setAdmin(index, Link.AdminState.UP);
    if (underlay.gateway().isPresent()) {
      netlink.replaceRoute(Route.byDefault(underlay.gateway().get(), index));
    }
  }

  private Map<String, Integer> indexes() throws DeviceException {
    Map<String, Integer> indexes = new HashMap<>();
    for (Link link : netlink.links()) {
      indexes.put(link.name(), link.index());
    }
    return indexes;
  }

  private static int index(Map<String, Integer> indexes, String device) throws DeviceException {
    Integer index = indexes.get(device);
    if (index == null) {
      throw new DeviceException(
          DeviceException.Kind.UNREACHABLE, "device " + device + " is not there any more");
    }
    return index;
  }
}
