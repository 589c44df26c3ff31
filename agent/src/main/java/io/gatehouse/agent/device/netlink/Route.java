package io.gatehouse.agent.device.netlink;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * A unicast route of the main table; a route with several next hops is as many of these.
 *
 * @param gateway null if the destination is on the link; may be of the other family (RFC 5549)
 * @param linkIndex of the device that the packets leave by, at least 1
 */
public record Route(Cidr destination, @Nullable IpAddress gateway, int linkIndex) {
  public Route {
    if (linkIndex < 1) {
      throw new InvalidValueException("link_index", linkIndex, "is below 1");
    }
  }

  /** The route to everything of the gateway's family. */
  public static Route byDefault(IpAddress gateway, int linkIndex) {
    return new Route(new Cidr(IpAddress.unspecified(gateway.family()), 0), gateway, linkIndex);
  }

  @Override
  public String toString() {
    String via = gateway == null ? "" : " via " + gateway;
    return destination + via + " on link " + linkIndex;
  }
}
