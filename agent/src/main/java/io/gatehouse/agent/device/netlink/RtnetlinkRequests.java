package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.model.net.IpAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The requests that the agent makes, as bytes (rtnetlink(7), linux/rtnetlink.h). Pure. */
final class RtnetlinkRequests {
  private static final int DUMP = NetlinkRequest.FLAG_REQUEST | NetlinkRequest.FLAG_DUMP;
  private static final int CHANGE = NetlinkRequest.FLAG_REQUEST | NetlinkRequest.FLAG_ACK;
  private static final int REPLACE =
      CHANGE | NetlinkRequest.FLAG_CREATE | NetlinkRequest.FLAG_REPLACE;

  private static final int ADDRESS_NO_DAD = 0x02;
  private static final int PROTOCOL_STATIC = 4;
  private static final int SCOPE_LINK = 253;
  private static final int MAX_BYTES = 256;

  private RtnetlinkRequests() {}

  static NetlinkRequest dumpLinks() {
    return new NetlinkRequest(Rtnetlink.GET_LINK, DUMP, link(0, 0, 0).flip(), "list the links");
  }

  static NetlinkRequest dumpAddresses() {
    ByteBuffer body = buffer().putLong(0);
    return new NetlinkRequest(Rtnetlink.GET_ADDRESS, DUMP, body.flip(), "list the addresses");
  }

  /** Of one family, so that the kernel's filter by table is used. */
  static NetlinkRequest dumpRoutes(IpAddress.Family family) {
    ByteBuffer body = buffer().put((byte) Rtnetlink.number(family)).put((byte) 0).put((byte) 0);
    body.put((byte) 0).put((byte) Rtnetlink.TABLE_MAIN).put((byte) 0).put((byte) 0).put((byte) 0);
    body.putInt(0);
    return new NetlinkRequest(Rtnetlink.GET_ROUTE, DUMP, body.flip(), "list the routes");
  }

  static NetlinkRequest setAdmin(int linkIndex, AdminState state) {
    int flags = state == AdminState.UP ? Rtnetlink.LINK_UP : 0;
    return new NetlinkRequest(
        Rtnetlink.SET_LINK,
        CHANGE,
        link(linkIndex, flags, Rtnetlink.LINK_UP).flip(),
        "set link " + linkIndex + " " + state);
  }

  static NetlinkRequest setMtu(int linkIndex, int mtuBytes) {
    ByteBuffer body = link(linkIndex, 0, 0);
    NetlinkAttributes.put(body, Rtnetlink.LINK_MTU, number(mtuBytes));
    return new NetlinkRequest(
        Rtnetlink.SET_LINK,
        CHANGE,
        body.flip(),
        "set link " + linkIndex + " to an MTU of " + mtuBytes);
  }

  static NetlinkRequest replaceAddress(LinkAddress address) {
    int flags = address.address().isV6() ? ADDRESS_NO_DAD : 0;
    return new NetlinkRequest(
        Rtnetlink.NEW_ADDRESS, REPLACE, body(address, flags), "set address " + address);
  }

  static NetlinkRequest deleteAddress(LinkAddress address) {
    return new NetlinkRequest(
        Rtnetlink.DELETE_ADDRESS, CHANGE, body(address, 0), "delete address " + address);
  }

  static NetlinkRequest replaceRoute(Route route) {
    IpAddress destination = route.destination().address();
    IpAddress gateway = route.gateway();
    int scope = gateway == null && destination.isV4() ? SCOPE_LINK : 0;
    ByteBuffer body = buffer().put((byte) Rtnetlink.number(destination.family()));
    body.put((byte) route.destination().prefixLength()).put((byte) 0).put((byte) 0);
    body.put((byte) Rtnetlink.TABLE_MAIN).put((byte) PROTOCOL_STATIC).put((byte) scope);
    body.put((byte) Rtnetlink.ROUTE_UNICAST).putInt(0);
    NetlinkAttributes.put(
        body, Rtnetlink.ROUTE_DESTINATION, ByteBuffer.wrap(destination.toBytes()));
    NetlinkAttributes.put(body, Rtnetlink.ROUTE_OUT_LINK, number(route.linkIndex()));
    if (gateway != null && gateway.family() == destination.family()) {
      NetlinkAttributes.put(body, Rtnetlink.ROUTE_GATEWAY, ByteBuffer.wrap(gateway.toBytes()));
    }
    if (gateway != null && gateway.family() != destination.family()) {
      ByteBuffer via = buffer().putShort((short) Rtnetlink.number(gateway.family()));
      NetlinkAttributes.put(body, Rtnetlink.ROUTE_VIA, via.put(gateway.toBytes()).flip());
    }
    return new NetlinkRequest(Rtnetlink.NEW_ROUTE, REPLACE, body.flip(), "set route " + route);
  }

  private static ByteBuffer link(int index, int flags, int mask) {
    ByteBuffer body = buffer().put((byte) 0).put((byte) 0).putShort((short) 0);
    return body.putInt(index).putInt(flags).putInt(mask);
  }

  private static ByteBuffer body(LinkAddress address, int flags) {
    IpAddress ip = address.address();
    ByteBuffer body = buffer().put((byte) Rtnetlink.number(ip.family()));
    body.put((byte) address.prefixLength()).put((byte) flags).put((byte) 0);
    body.putInt(address.linkIndex());
    NetlinkAttributes.put(body, Rtnetlink.ADDRESS_LOCAL, ByteBuffer.wrap(ip.toBytes()));
    NetlinkAttributes.put(body, Rtnetlink.ADDRESS_ADDRESS, ByteBuffer.wrap(ip.toBytes()));
    return body.flip();
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.nativeOrder());
  }

  private static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(value).flip();
  }
}
