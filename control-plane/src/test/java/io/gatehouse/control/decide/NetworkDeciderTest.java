package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.model.Network;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkDeciderTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final NetworkName BLUE_NAME = NetworkName.parse(BLUE);

  private final World world = new World().tenant("tenants/acme").tenant("tenants/other");

  @Test
  void f29AnotherTenantsPrefixIsNoOverlap() {
    world.network(BLUE, "10.0.0.0/24");
    world.network("tenants/other/networks/blue", "10.0.0.0/24");
    assertThat(world.image().networks()).hasSize(2);
  }

  @Test
  void f29TheTenantsOwnOverlapIsRefused() {
    world.network(BLUE, "10.0.0.0/24");
    RefusedException refusal =
        world.refusal(world.createNetwork("tenants/acme/networks/red", 0, "10.0.0.128/25"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("ipv4_cidr");
    assertThat(refusal.reason())
        .isEqualTo("10.0.0.128/25 overlaps 10.0.0.0/24 of tenants/acme/networks/blue");
  }

  @ParameterizedTest
  @CsvSource({
    "224.0.0.0/8,  ipv4_cidr",
    "127.0.0.0/8,  ipv4_cidr",
    "ff00::/16,    ipv6_cidr",
    "fe80::/64,    ipv6_cidr",
    "10.0.0.0/31,  ipv4_cidr.length",
    "fd00::/127,   ipv6_cidr.length"
  })
  void aPrefixThatNoHostCanUseIsRefused(String cidr, String field) {
    RefusedException refusal = world.refusal(world.createNetwork(BLUE, 0, cidr));
    assertThat(refusal.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(refusal.field()).isEqualTo(field);
  }

  @Test
  void theQuotaHolds() {
    world.run(world.createTenant("tenants/small", new TenantQuota(1, 1, 100)));
    world.network("tenants/small/networks/a", "10.0.0.0/24");
    RefusedException refusal =
        world.refusal(world.createNetwork("tenants/small/networks/b", 0, "10.1.0.0/24"));
    assertThat(refusal.kind()).isEqualTo(Kind.RESOURCE_EXHAUSTED);
    assertThat(refusal.reason()).isEqualTo("tenants/small has 1 networks, its quota is 1");
  }

  @Test
  void aNetworkOfNobodyIsNotFound() {
    RefusedException refusal =
        world.refusal(world.createNetwork("tenants/nobody/networks/a", 0, "10.0.0.0/24"));
    assertThat(refusal.kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(refusal.reason()).isEqualTo("tenants/nobody does not exist");
  }

  @Test
  void withoutDpusPlainEthernetIsAssumed() {
    world.network(BLUE, "10.0.0.0/24");
    assertThat(mtu()).isEqualTo(1_450);
    RefusedException refusal =
        world.refusal(world.createNetwork("tenants/acme/networks/red", 9_000, "10.1.0.0/24"));
    assertThat(refusal.reason())
        .isEqualTo(
            "mtu 9000 needs 9050 on the underlay, an underlay without DPUs is taken to have 1500;"
                + " largest that fits 1450");
  }

  @Test
  void withoutPortsTheSmallestDpuOfTheFleetCounts() {
    world.dpu("dpus/a", "192.0.2.1", 9_100).dpu("dpus/b", "192.0.2.2", 9_000);
    world.network(BLUE, "10.0.0.0/24");
    assertThat(mtu()).isEqualTo(8_950);
    RefusedException refusal =
        world.refusal(world.createNetwork("tenants/acme/networks/red", 9_000, "10.1.0.0/24"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("mtu_bytes");
    assertThat(refusal.reason())
        .isEqualTo("mtu 9000 needs 9050 on the underlay, dpus/b has 9000; largest that fits 8950");
  }

  @Test
  void f07Ipv6BelowItsLeastMtuIsRefusedWithBothNumbers() {
    world.dpu("dpus/a", "192.0.2.1", 1_300);
    RefusedException refusal = world.refusal(world.createNetwork(BLUE, 0, "fd00::/64"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason())
        .isEqualTo(
            "IPv6 needs an mtu of 1280 and 1330 on the underlay, dpus/a has 1300;"
                + " largest that fits 1250");
  }

  @Test
  void f08AnIpv6UnderlayCosts70() {
    world.dpu("dpus/a", "2001:db8::1", 9_000);
    world.network(BLUE, "10.0.0.0/24");
    assertThat(mtu()).isEqualTo(8_930);
  }

  @Test
  void aPrefixIsNotTakenFromUnderAPort() {
    world.dpu("dpus/a", "192.0.2.1", 1_500).network(BLUE, "10.0.0.0/24", "fd00::/64");
    world.port(BLUE + "/ports/p", "dpus/a", 0);
    RefusedException refusal =
        world.refusal(update(new NetworkPatch(null, null, List.of(), null, null)));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("ipv6_cidr");
    assertThat(refusal.reason())
        .isEqualTo(BLUE + "/ports/p has fd00::1, which is outside 10.0.0.0/24");
  }

  @Test
  void aPrefixCanGrow() {
    world.dpu("dpus/a", "192.0.2.1", 1_500).network(BLUE, "10.0.0.0/24");
    world.port(BLUE + "/ports/p", "dpus/a", 0);
    Cidr larger = Cidr.parse("10.0.0.0/16");
    world.run(update(new NetworkPatch(null, List.of(larger), null, null, null)));
    assertThat(network().cidrs()).containsExactly(larger);
  }

  @Test
  void anUpdateOfTheMtuIsCheckedAgainstTheCarriers() {
    world.dpu("dpus/a", "192.0.2.1", 9_000).dpu("dpus/b", "192.0.2.2", 1_500);
    world.network(BLUE, "10.0.0.0/24").port(BLUE + "/ports/p", "dpus/a", 0);
    world.run(update(new NetworkPatch(null, null, null, 8_000, null)));
    assertThat(mtu()).isEqualTo(8_000);
    world.run(update(new NetworkPatch(null, null, null, 0, null)));
    assertThat(mtu()).as("lower stays until all take more").isEqualTo(8_000);
    world.settle(BLUE);
    assertThat(mtu()).isEqualTo(8_950);
  }

  @Test
  void aNetworkWithPortsStays() {
    world.dpu("dpus/a", "192.0.2.1", 1_500).network(BLUE, "10.0.0.0/24");
    world.port(BLUE + "/ports/p", "dpus/a", 0);
    RefusedException refusal = world.refusal(new DeleteNetwork(world.request(), BLUE_NAME, ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).isEqualTo(BLUE + " still has ports: " + BLUE + "/ports/p");
  }

  private UpdateNetwork update(NetworkPatch patch) {
    return new UpdateNetwork(world.request(), BLUE_NAME, patch, "");
  }

  private Network network() {
    return world.image().network(BLUE_NAME).orElseThrow();
  }

  private int mtu() {
    return network().effectiveMtuBytes();
  }
}
