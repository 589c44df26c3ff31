package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.device.netlink.LinkAddress;
import io.gatehouse.agent.device.netlink.NetlinkClient;
import io.gatehouse.agent.device.netlink.Route;
import io.gatehouse.agent.device.nft.GuardTable;
import io.gatehouse.agent.device.sysfs.IfaceSysctl;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.Underlay;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.KernelView.UnderlayView;
import io.gatehouse.agent.state.observed.Observed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the DPU's own network stack. What was read stays known until {@link #mayHaveChanged} is
 * called, which any thread may do; {@link #observe} is called by one.
 */
public final class KernelObserver implements MachineObserver.KernelLook {
  private final NetlinkClient netlink;
  private final GuardTable guard;
  private final IfaceSysctl sysctl;
  private final Site site;
  private volatile boolean stale = true;
  private Observed<KernelView> known = new Observed.Unknown<>("not read yet");

  public KernelObserver(NetlinkClient netlink, GuardTable guard, IfaceSysctl sysctl, Site site) {
    this.netlink = netlink;
    this.guard = guard;
    this.sysctl = sysctl;
    this.site = site;
  }

  /** Links, addresses, routes or guards are to be read again. */
  @Override
  public void mayHaveChanged() {
    stale = true;
  }

  /** The network stack now, or why it is unknown. */
  @Override
  public Observed<KernelView> observe() {
    if (!stale) {
      return known;
    }
    stale = false;
    try {
      List<Link> links = netlink.links();
      known = new Observed.Known<>(new KernelView(views(links), guarded(), underlay(links)));
    } catch (DeviceException e) {
      stale = true;
      known = new Observed.Unknown<>("the kernel's network devices: " + e.getMessage());
    }
    return known;
  }

  private Set<String> guarded() throws DeviceException {
    return site.datapath() == Site.Datapath.NETDEV ? guard.read() : Set.of();
  }

  private Map<String, KernelView.Link> views(List<Link> links) {
    Map<String, KernelView.Link> views = new HashMap<>();
    for (Link link : links) {
      views.put(
          link.name(),
          new KernelView.Link(
              link.mtuBytes(), link.admin() == Link.AdminState.UP, isIpv6Off(link.name())));
    }
    return views;
  }

  private boolean isIpv6Off(String device) {
    try {
      return sysctl.ipv6(device) == IfaceSysctl.Ipv6.OFF;
    } catch (DeviceException e) {
      // The device went away while it was looked at; the link event brings the next look.
      return false;
    }
  }

  private UnderlayView underlay(List<Link> links) throws DeviceException {
    List<LinkAddress> addresses = netlink.addresses();
    int mtuBytes = VtepMtu.of(links, addresses, site.vtep());
    if (site.underlay().isEmpty()) {
      return new UnderlayView(true, true, mtuBytes);
    }
    Underlay underlay = site.underlay().get();
    Optional<Link> link =
        links.stream().filter(l -> l.name().equals(underlay.device())).findFirst();
    if (link.isEmpty()) {
      return new UnderlayView(false, false, mtuBytes);
    }
    int index = link.get().index();
    boolean address =
        addresses.contains(new LinkAddress(index, underlay.address(), underlay.prefixLength()));
    return new UnderlayView(address, hasRoute(underlay, index), mtuBytes);
  }

  private boolean hasRoute(Underlay underlay, int index) throws DeviceException {
    if (underlay.gateway().isEmpty()) {
      return true;
    }
    return netlink.routes().contains(Route.byDefault(underlay.gateway().get(), index));
  }
}
