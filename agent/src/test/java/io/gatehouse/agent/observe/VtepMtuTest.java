package io.gatehouse.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.device.netlink.LinkAddress;
import io.gatehouse.model.net.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which device's MTU counts. */
class VtepMtuTest {
  private static final IpAddress VTEP = IpAddress.parse("172.16.1.1");
  private static final List<Link> LINKS =
      List.of(
          link(1, "lo", 65_536, null),
          link(2, "p0", 9_000, null),
          link(3, "br-phy", 1_500, null),
          link(4, "vtep0", 1_500, "dummy"));

  private static Link link(int index, String name, int mtuBytes, @Nullable String kind) {
    return new Link(
        index,
        name,
        mtuBytes,
        null,
        Link.AdminState.UP,
        Link.OperState.UP,
        true,
        kind,
        0,
        0,
        null,
        null);
  }

  private static LinkAddress address(int link, String address) {
    return new LinkAddress(link, IpAddress.parse(address), 24);
  }

  private static int mtu(LinkAddress... addresses) {
    return VtepMtu.of(LINKS, List.of(addresses), VTEP);
  }

  /** F06: another device was counted than the one that has the address. */
  @Test
  void f06TheDeviceWithTheAddressCounts() {
    assertThat(mtu(address(2, "172.16.9.9"), address(3, "172.16.1.1"))).isEqualTo(1_500);
    assertThat(mtu(address(2, "172.16.1.1"), address(3, "172.16.9.9"))).isEqualTo(9_000);
    assertThat(mtu(address(2, "172.16.1.1"), address(3, "172.16.1.1"))).isEqualTo(1_500);
  }

  @Test
  void whatSaysNothingOfTheUnderlayIsNotKnown() {
    assertThat(mtu()).isZero();
    assertThat(mtu(address(2, "172.16.9.9"))).isZero();
    assertThat(mtu(address(1, "172.16.1.1"))).isZero();
    assertThat(mtu(address(4, "172.16.1.1"))).isZero();
    assertThat(mtu(address(1, "172.16.1.1"), address(2, "172.16.1.1"))).isEqualTo(9_000);
  }
}
