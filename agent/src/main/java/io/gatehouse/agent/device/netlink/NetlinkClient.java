package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and changes links, addresses and routes of one network namespace: that of the thread that
 * opened it. Safe for several threads; limits and errors are those of {@link NetlinkSession}.
 */
public final class NetlinkClient implements AutoCloseable {
  private final NetlinkSession session;

  private NetlinkClient(NetlinkSession session) {
    this.session = session;
  }

  /** Opens a client in the network namespace of the calling thread. */
  public static NetlinkClient open(Duration timeout) throws DeviceException {
    return new NetlinkClient(NetlinkSession.open(NetlinkProtocol.ROUTE, timeout));
  }

  /** All network devices. */
  public List<Link> links() throws DeviceException {
    return session.dump(
        RtnetlinkRequests.dumpLinks(), RtnetlinkReader::links, NetlinkSession.NONE_HARMLESS);
  }

  /** IPv4 and IPv6 addresses of all devices. */
  public List<LinkAddress> addresses() throws DeviceException {
    return session.dump(
        RtnetlinkRequests.dumpAddresses(),
        RtnetlinkReader::addresses,
        NetlinkSession.NONE_HARMLESS);
  }

  /**
   * The unicast routes of the main table, IPv4 and IPv6; of several to one destination the first
   * has the lowest metric, the one that the kernel uses.
   */
  public List<Route> routes() throws DeviceException {
    List<Route> routes = new ArrayList<>();
    for (IpAddress.Family family : IpAddress.Family.values()) {
      // A routing table that never had a route does not exist yet.
      for (Route route :
          session.dump(
              RtnetlinkRequests.dumpRoutes(family), RtnetlinkReader::routes, Errno.ENOENT)) {
        // A kernel without IPv6 answers a question about it with the IPv4 routes.
        if (route.destination().address().family() == family) {
          routes.add(route);
        }
      }
    }
    return routes;
  }

  /** Switches a device on or off. Idempotent. */
  public void setAdmin(int linkIndex, AdminState state) throws DeviceException {
    session.change(RtnetlinkRequests.setAdmin(linkIndex, state), NetlinkSession.NONE_HARMLESS);
  }

  /** Sets the largest layer-3 packet of a device, in bytes. Idempotent. */
  public void setMtu(int linkIndex, int mtuBytes) throws DeviceException {
    session.change(RtnetlinkRequests.setMtu(linkIndex, mtuBytes), NetlinkSession.NONE_HARMLESS);
  }

  /**
   * Adds an address, an IPv6 one without duplicate address detection. Idempotent. An IPv6 address
   * that is there with another prefix length keeps that length: delete it first.
   */
  public void replaceAddress(LinkAddress address) throws DeviceException {
    session.change(RtnetlinkRequests.replaceAddress(address), NetlinkSession.NONE_HARMLESS);
  }

  /** Takes an address away; that it was not there is no error. */
  public void deleteAddress(LinkAddress address) throws DeviceException {
    session.change(RtnetlinkRequests.deleteAddress(address), Errno.EADDRNOTAVAIL);
  }

  /** Makes this the route to its destination, at the default metric. Idempotent. */
  public void replaceRoute(Route route) throws DeviceException {
    session.change(RtnetlinkRequests.replaceRoute(route), NetlinkSession.NONE_HARMLESS);
  }

  /** Ends the client; calls after it are UNREACHABLE. Waits for a call that is under way. */
  @Override
  public void close() {
    session.close();
  }
}
