package io.gatehouse.agent.device.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.agent.device.netlink.Link.OperState;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RtnetlinkReaderTest {
  @Test
  void readsLinks() throws Exception {
    List<Link> links = read(RtnetlinkReader::links, "links");
    assertThat(links)
        .extracting(Link::name)
        .containsExactlyInAnyOrder("lo", "v0", "v1", "br0", "tap0");
    Link v1 = named(links, "v1");
    assertThat(v1)
        .isEqualTo(
            new Link(
                2,
                "v1",
                1500,
                MacAddress.parse("02:00:00:00:00:0b"),
                AdminState.UP,
                OperState.UP,
                true,
                "veth",
                named(links, "br0").index(),
                named(links, "v0").index(),
                null,
                null));
    assertThat(named(links, "tap0").kind()).isEqualTo("tun");
    assertThat(named(links, "tap0").mtuBytes()).isEqualTo(1450);
    assertThat(named(links, "tap0").admin()).isEqualTo(AdminState.DOWN);
    assertThat(named(links, "tap0").operState()).isEqualTo(OperState.DOWN);
    assertThat(named(links, "lo").operState()).isEqualTo(OperState.UNKNOWN);
    assertThat(named(links, "lo").kind()).isNull();
  }

  @Test
  void readsAddresses() throws Exception {
    assertThat(read(RtnetlinkReader::addresses, "addresses"))
        .containsExactlyInAnyOrder(
            address(1, "127.0.0.1", 8),
            address(3, "172.16.1.1", 24),
            // point to point: ours, not the peer's
            address(3, "10.255.0.1", 32),
            address(1, "::1", 128),
            address(2, "fe80::ff:fe00:b", 64),
            address(3, "fd00::1", 64),
            address(3, "fe80::ff:fe00:a", 64));
  }

  @Test
  void readsRoutes() throws Exception {
    assertThat(read(RtnetlinkReader::routes, "routes4"))
        .containsExactlyInAnyOrder(
            route("0.0.0.0/0", "172.16.1.254"),
            route("10.3.0.0/16", "fd00::9"),
            route("10.4.0.0/16", "172.16.1.2"),
            route("10.4.0.0/16", "172.16.1.3"),
            new Route(Cidr.parse("10.255.0.2/32"), null, 3),
            new Route(Cidr.parse("172.16.1.0/24"), null, 3));
    assertThat(read(RtnetlinkReader::routes, "routes6"))
        .containsExactlyInAnyOrder(
            route("::/0", "fd00::fe"),
            new Route(Cidr.parse("fd00::/64"), null, 3),
            new Route(Cidr.parse("fe80::/64"), null, 2),
            new Route(Cidr.parse("fe80::/64"), null, 3));
  }

  @Test
  void readsTheFunctionOfARepresentor() throws Exception {
    ByteBuffer body = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
    body.putInt(0).putInt(7).putInt(0).putInt(0);
    attribute(body, Rtnetlink.LINK_NAME, "eth7\0".getBytes(StandardCharsets.US_ASCII));
    attribute(body, Rtnetlink.LINK_PHYS_PORT_NAME, "pf0vf3\0".getBytes(StandardCharsets.US_ASCII));
    attribute(body, Rtnetlink.LINK_PHYS_SWITCH_ID, new byte[] {(byte) 0xb8, (byte) 0xce, 1});
    Link link =
        RtnetlinkReader.links(new NetlinkMessage(Rtnetlink.NEW_LINK, 0, 1, body.flip())).get(0);
    assertThat(link.name()).isEqualTo("eth7");
    assertThat(link.physPortName()).isEqualTo("pf0vf3");
    assertThat(link.physSwitchId()).isEqualTo("b8ce01");
  }

  @Test
  void takesAValueThatCannotExistForAnErrorOfTheProtocol() {
    ByteBuffer body = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
    body.put((byte) 2).put((byte) 99).putShort((short) 0).putInt(3);
    attribute(body, Rtnetlink.ADDRESS_LOCAL, new byte[] {10, 0, 0, 1});
    NetlinkMessage message = new NetlinkMessage(Rtnetlink.NEW_ADDRESS, 0, 1, body.flip());
    assertThatThrownBy(() -> NetlinkSession.read(RtnetlinkReader::addresses, message))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL))
        .hasMessageContaining("prefix_length=99");
  }

  private static Link named(List<Link> links, String name) {
    return links.stream().filter(l -> l.name().equals(name)).findFirst().orElseThrow();
  }

  private static <T> List<T> read(NetlinkSession.Reader<T> reader, String name) throws Exception {
    List<T> found = new ArrayList<>();
    for (NetlinkMessage message : Captured.messages(name)) {
      found.addAll(NetlinkSession.read(reader, message));
    }
    return found;
  }

  private static LinkAddress address(int link, String text, int prefixLength) {
    return new LinkAddress(link, IpAddress.parse(text), prefixLength);
  }

  private static Route route(String destination, String gateway) {
    return new Route(Cidr.parse(destination), IpAddress.parse(gateway), 3);
  }

  private static void attribute(ByteBuffer body, int type, byte[] value) {
    body.putShort((short) (4 + value.length)).putShort((short) type).put(value);
    body.position(NetlinkCodec.aligned(body.position()));
  }
}
