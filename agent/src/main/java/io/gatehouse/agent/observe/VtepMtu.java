package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.device.netlink.LinkAddress;
import io.gatehouse.model.net.IpAddress;
import java.util.List;

/**
 * The MTU of the device that has the VTEP address, whatever its name. Pure.
 *
 * <p>An address on the loopback device or on a dummy says nothing of the devices that carry the
 * packets: then the MTU is not known.
 */
final class VtepMtu {
  private static final String LOOPBACK = "lo";
  private static final String DUMMY = "dummy";

  private VtepMtu() {}

  /** In bytes, of several devices the least; 0: not known. */
  static int of(List<Link> links, List<LinkAddress> addresses, IpAddress vtep) {
    return links.stream()
        .filter(link -> !link.name().equals(LOOPBACK) && !DUMMY.equals(link.kind()))
        .filter(link -> addresses.stream().anyMatch(held -> isOn(link, held, vtep)))
        .mapToInt(Link::mtuBytes)
        .min()
        .orElse(0);
  }

  private static boolean isOn(Link link, LinkAddress held, IpAddress vtep) {
    return held.linkIndex() == link.index() && held.address().equals(vtep);
  }
}
