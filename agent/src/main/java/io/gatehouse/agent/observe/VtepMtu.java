package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.device.netlink.LinkAddress;
import io.gatehouse.model.net.IpAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The MTU of the device that has the VTEP address, whatever its name. Pure.
 *
 * <p>An address on the loopback device or on a dummy says nothing of the devices that carry the
 * packets: then the MTU is not known.
 */
public final class VtepMtu {
  private static final String LOOPBACK = "lo";
  private static final String DUMMY = "dummy";

  private VtepMtu() {}

  /** In bytes, of several devices the least; 0: not known. */
  static int of(List<Link> links, List<LinkAddress> addresses, IpAddress vtep) {
    return device(links, addresses, vtep).map(Link::mtuBytes).orElse(0);
  }

  /** The device, of several the one with the least; empty: not known. */
  public static Optional<Link> device(
      List<Link> links, List<LinkAddress> addresses, IpAddress vtep) {
    return links.stream()
        .filter(link -> !link.name().equals(LOOPBACK) && !DUMMY.equals(link.kind()))
        .filter(link -> addresses.stream().anyMatch(held -> isOn(link, held, vtep)))
        .min(Comparator.comparingInt(Link::mtuBytes).thenComparing(Link::name));
  }

  private static boolean isOn(Link link, LinkAddress held, IpAddress vtep) {
    return held.linkIndex() == link.index() && held.address().equals(vtep);
  }
}
