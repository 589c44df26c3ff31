package io.gatehouse.agent;

import io.gatehouse.agent.apply.KernelApplier;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.netlink.NetlinkClient;
import io.gatehouse.agent.device.nft.GuardTable;
import io.gatehouse.agent.device.sysfs.IfaceSysctl;
import io.gatehouse.agent.observe.KernelObserver;
import io.gatehouse.agent.state.Site;
import java.time.Duration;

/** The ways to the DPU's own network stack. */
record KernelConnection(NetlinkClient netlink, KernelObserver observer, KernelApplier applier) {
  private static final Duration NETLINK_TIMEOUT = Duration.ofSeconds(5);

  static KernelConnection open(Site site) throws DeviceException {
    NetlinkClient netlink = NetlinkClient.open(NETLINK_TIMEOUT);
    GuardTable guard = GuardTable.open(NETLINK_TIMEOUT);
    IfaceSysctl sysctl = new IfaceSysctl(IfaceSysctl.DEFAULT_FOLDER);
    return new KernelConnection(
        netlink,
        new KernelObserver(netlink, guard, sysctl, site),
        new KernelApplier(netlink, guard, sysctl));
  }
}
