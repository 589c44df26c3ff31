package io.gatehouse.agent.device.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.agent.device.netlink.Link.OperState;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetlinkClientIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private TestNamespace namespace;
  private NetlinkClient client;

  @BeforeEach
  void open() throws Exception {
    namespace = new TestNamespace();
    client = namespace.run(() -> NetlinkClient.open(TIMEOUT));
    namespace.sh("ip link add v0 address 02:00:00:00:00:0a type veth peer name v1");
  }

  @AfterEach
  void close() throws Exception {
    namespace.close();
    client.close();
  }

  @Test
  void tellsLinksAsTheKernelHasThem() throws Exception {
    namespace.sh("ip link add br0 type bridge");
    namespace.sh("ip link set v1 master br0 up");
    Link v0 = link("v0");
    assertThat(v0.mtuBytes()).isEqualTo(1500);
    assertThat(v0.mac()).isEqualTo(MacAddress.parse("02:00:00:00:00:0a"));
    assertThat(v0.admin()).isEqualTo(AdminState.DOWN);
    assertThat(v0.operState()).isEqualTo(OperState.DOWN);
    assertThat(v0.carrier()).isFalse();
    assertThat(v0.kind()).isEqualTo("veth");
    assertThat(v0.masterIndex()).isZero();
    assertThat(v0.physPortName()).isNull();
    assertThat(v0.physSwitchId()).isNull();
    assertThat(link("v1").masterIndex()).isEqualTo(link("br0").index());
    assertThat(link("br0").kind()).isEqualTo("bridge");
    assertThat(link("lo").kind()).isNull();
  }

  @Test
  void switchesLinksAndSetsTheirMtu() throws Exception {
    int v0 = link("v0").index();
    int v1 = link("v1").index();
    for (int i = 0; i < 2; i++) {
      client.setMtu(v0, 9000);
      client.setAdmin(v0, AdminState.UP);
      client.setAdmin(v1, AdminState.UP);
    }
    assertThat(link("v0").mtuBytes()).isEqualTo(9000);
    assertThat(link("v0").admin()).isEqualTo(AdminState.UP);
    awaitOperState("v0", OperState.UP);
    assertThat(link("v0").carrier()).isTrue();
    client.setAdmin(v1, AdminState.DOWN);
    awaitOperState("v0", OperState.LOWER_LAYER_DOWN);
    assertThat(link("v0").carrier()).isFalse();
  }

  @Test
  void saysWhyAnMtuIsRefused() throws Exception {
    int v0 = link("v0").index();
    assertThatThrownBy(() -> client.setMtu(v0, 70_000))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
        .hasMessage(
            "set link " + v0 + " to an MTU of 70000: EINVAL (mtu greater than device maximum)");
    assertThat(link("v0").mtuBytes()).isEqualTo(1500);
  }

  @ParameterizedTest
  @ValueSource(strings = {"172.16.1.1/24", "2001:db8::1/64"})
  void setsAnAddressOnceHoweverOften(String text) throws Exception {
    LinkAddress address = address("v0", text);
    client.replaceAddress(address);
    client.replaceAddress(address);
    assertThat(client.addresses()).containsOnlyOnce(address);
    client.deleteAddress(address);
    client.deleteAddress(address);
    assertThat(client.addresses()).doesNotContain(address);
  }

  @Test
  void usesAnIpv6AddressAtOnce() throws Exception {
    client.setAdmin(link("v0").index(), AdminState.UP);
    client.setAdmin(link("v1").index(), AdminState.UP);
    client.replaceAddress(address("v0", "2001:db8::1/64"));
    assertThat(namespace.sh("ip -6 addr show dev v0 to 2001:db8::1"))
        .contains("nodad")
        .doesNotContain("tentative");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "172.16.1.1/24 172.16.1.254 10.9.0.0/16 172.16.1.253",
        "fd00::1/64 fd00::fe ::/0 fd00::fd"
      })
  void setsARouteOnceHoweverOften(String text) throws Exception {
    String[] words = text.split(" ", -1);
    int v0 = link("v0").index();
    client.setAdmin(v0, AdminState.UP);
    client.setAdmin(link("v1").index(), AdminState.UP);
    client.replaceAddress(address("v0", words[0]));
    Route route = new Route(Cidr.parse(words[2]), IpAddress.parse(words[1]), v0);
    client.replaceRoute(route);
    client.replaceRoute(route);
    assertThat(client.routes()).containsOnlyOnce(route);
    Route moved = new Route(route.destination(), IpAddress.parse(words[3]), v0);
    client.replaceRoute(moved);
    assertThat(client.routes()).contains(moved).doesNotContain(route);
  }

  @Test
  void readsRoutesOfTheMainTableOnly() throws Exception {
    assertThat(client.routes()).isEmpty();
    client.setAdmin(link("v0").index(), AdminState.UP);
    client.setAdmin(link("v1").index(), AdminState.UP);
    client.replaceAddress(address("v0", "172.16.1.1/24"));
    client.replaceAddress(address("v0", "fd00::1/64"));
    namespace.sh("ip route add 10.1.0.0/16 via 172.16.1.9 table 77");
    namespace.sh("ip route add blackhole 10.2.0.0/16");
    namespace.sh("ip route add 10.3.0.0/16 via inet6 fd00::9 dev v0");
    namespace.sh("ip route add 10.4.0.0/16 nexthop via 172.16.1.2 nexthop via 172.16.1.3");
    int v0 = link("v0").index();
    assertThat(client.routes())
        .contains(
            new Route(Cidr.parse("172.16.1.0/24"), null, v0),
            new Route(Cidr.parse("fd00::/64"), null, v0),
            new Route(Cidr.parse("10.3.0.0/16"), IpAddress.parse("fd00::9"), v0),
            new Route(Cidr.parse("10.4.0.0/16"), IpAddress.parse("172.16.1.2"), v0),
            new Route(Cidr.parse("10.4.0.0/16"), IpAddress.parse("172.16.1.3"), v0))
        .noneMatch(r -> List.of("10.1.0.0/16", "10.2.0.0/16").contains(r.destination() + ""));
    client.replaceRoute(new Route(Cidr.parse("10.5.0.0/16"), IpAddress.parse("fd00::9"), v0));
    client.replaceRoute(new Route(Cidr.parse("10.6.0.0/16"), null, v0));
    assertThat(namespace.sh("ip route show 10.5.0.0/16")).contains("via inet6 fd00::9");
    assertThat(namespace.sh("ip route show 10.6.0.0/16")).contains("dev v0").contains("scope link");
  }

  @Test
  void saysThatADeviceIsGone() throws Exception {
    int v0 = link("v0").index();
    namespace.sh("ip link del v0");
    assertThatThrownBy(() -> client.setAdmin(v0, AdminState.UP)).hasMessageContaining("ENODEV");
    assertThatThrownBy(() -> client.setMtu(v0, 1400)).hasMessageContaining("ENODEV");
    assertThatThrownBy(
            () -> client.replaceAddress(new LinkAddress(v0, IpAddress.parse("10.0.0.1"), 24)))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
        .hasMessageStartingWith("set address 10.0.0.1/24 on link " + v0 + ": ENODEV");
    assertThat(client.links()).extracting(Link::name).containsExactly("lo");
  }

  @Test
  void listsMoreLinksThanOneDatagramHolds() throws Exception {
    StringBuilder batch = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      batch.append("link add a" + i + " type veth peer name b" + i + "\n");
    }
    Process ip = namespace.start("ip -batch -");
    try (var input = ip.outputWriter()) {
      input.write(batch.toString());
    }
    assertThat(ip.waitFor()).isZero();
    assertThat(client.links()).hasSize(303);
  }

  @Test
  void isUnreachableAfterItsEnd() {
    client.close();
    client.close();
    assertThatThrownBy(client::links)
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
  }

  /** The kernel sets it a little later than the link's flags, and tells of it. */
  private void awaitOperState(String device, OperState state) throws Exception {
    Semaphore changes = new Semaphore(0);
    NetlinkMonitor monitor =
        namespace.run(
            () ->
                NetlinkMonitor.start(
                    NetlinkMonitor.Subject.LINKS_ADDRESSES_ROUTES, changes::release));
    while (link(device).operState() != state) {
      assertThat(changes.tryAcquire(20, TimeUnit.SECONDS)).as("%s", state).isTrue();
    }
    monitor.close();
  }

  private Link link(String name) throws DeviceException {
    return client.links().stream().filter(l -> l.name().equals(name)).findFirst().orElseThrow();
  }

  private LinkAddress address(String device, String text) throws DeviceException {
    int slash = text.indexOf('/');
    return new LinkAddress(
        link(device).index(),
        IpAddress.parse(text.substring(0, slash)),
        Integer.parseInt(text.substring(slash + 1)));
  }
}
