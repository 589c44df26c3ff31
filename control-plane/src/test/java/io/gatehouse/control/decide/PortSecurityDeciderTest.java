package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Groups, address pairs and limits of ports; what a network tells its hosts. */
final class PortSecurityDeciderTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String P = BLUE + "/ports/p";
  private static final String Q = BLUE + "/ports/q";
  private static final String WEB = "tenants/acme/securityGroups/web";
  private static final String DEFAULT = "tenants/acme/securityGroups/default";
  private static final MacAddress VIRTUAL = MacAddress.parse("00:00:5e:00:01:07");

  private final World world =
      new World()
          .tenant("tenants/acme")
          .dpu("dpus/a", "192.0.2.1", 9_000)
          .network(BLUE, "10.0.0.0/24");

  @Test
  void withoutADefaultGroupAPortHasNone() {
    world.group(WEB).port(P, "dpus/a", 0);
    assertThat(port(P).security()).isEqualTo(PortSecurity.NONE);
  }

  @Test
  void aPortThatNamesNoGroupGetsTheDefaultOne() {
    world.group(DEFAULT).group(WEB).port(P, "dpus/a", 0);
    world.run(world.createPort(Q, "dpus/a", "pf0vf1", groups(WEB)));
    assertThat(port(P).security()).isEqualTo(groups(DEFAULT));
    assertThat(port(Q).security()).isEqualTo(groups(WEB));
    assertThat(world.image().membersOf(SecurityGroupName.parse(DEFAULT)))
        .containsOnlyKeys(PortName.parse(P));
    world.run(update(P, patch(List.of(), null, null)));
    assertThat(port(P).security()).as("an update may take it away").isEqualTo(PortSecurity.NONE);
  }

  @Test
  void aGroupThatIsNotThereIsRefused() {
    RefusedException absent = world.refusal(world.createPort(P, "dpus/a", "pf0vf0", groups(WEB)));
    assertThat(absent.kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(absent.field()).isEqualTo("security_groups");
    String others = "tenants/other/securityGroups/web";
    RefusedException unknown =
        world.refusal(world.createPort(P, "dpus/a", "pf0vf0", groups(others)));
    world.tenant("tenants/other").group(others);
    RefusedException foreign =
        world.refusal(world.createPort(P, "dpus/a", "pf0vf0", groups(others)));
    assertThat(foreign.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(foreign.reason()).as("there or not").isEqualTo(unknown.reason());
  }

  @Test
  void pairsLieInTheNetworkAndAreSharedByPorts() {
    world.run(world.createPort(P, "dpus/a", "pf0vf0", pairs(pair("10.0.0.100/32"))));
    world.run(world.createPort(Q, "dpus/a", "pf0vf1", pairs(pair("10.0.0.64/26"))));
    RefusedException outside = world.refusal(update(P, pairs(pair("10.0.1.0/28"))));
    assertThat(outside.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(outside.field()).isEqualTo("allowed_address_pairs[0].ip_cidr");
    assertThat(world.refusal(update(P, pairs(pair("10.0.0.0/23")))).kind())
        .isEqualTo(Kind.INVALID_ARGUMENT);
  }

  @Test
  void aPairIsNeverAnotherPortsOwn() {
    world.port(P, "dpus/a", 0).port(Q, "dpus/a", 1);
    RefusedException address =
        world.refusal(update(P, pairs(pair("10.0.0.100/32"), pair("10.0.0.2/32"))));
    assertThat(address.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(address.field()).isEqualTo("allowed_address_pairs[1].ip_cidr");
    AddressPair mac = new AddressPair(Cidr.parse("10.0.0.100/32"), Optional.of(port(Q).mac()));
    assertThat(world.refusal(update(P, pairs(mac))).field())
        .isEqualTo("allowed_address_pairs[0].mac_address");
    world.run(update(P, pairs(pair("10.0.0.1/32"))));
    assertThat(port(P).security().allowedPairs()).as("its own is harmless").hasSize(1);
  }

  @Test
  void aPortIsNeverMadeInsideAnothersPair() {
    AddressPair virtual = new AddressPair(Cidr.parse("10.0.0.2/31"), Optional.of(VIRTUAL));
    world.run(world.createPort(P, "dpus/a", "pf0vf0", pairs(virtual)));
    RefusedException address = world.refusal(world.createPort(Q, "dpus/a", "pf0vf1", "10.0.0.3"));
    assertThat(address.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(address.field()).isEqualTo("ip_addresses[0]");
    assertThat(address.reason()).isEqualTo("10.0.0.3 is among the allowed address pairs of " + P);
    assertThat(world.refusal(world.createPort(Q, "dpus/a", "pf0vf1", VIRTUAL)).field())
        .isEqualTo("mac_address");
    world.port(Q, "dpus/a", 1);
    assertThat(port(Q).addresses())
        .as("an allocation passes the pair by")
        .containsExactly(IpAddress.parse("10.0.0.4"));
  }

  @Test
  void anAllocationPassesPairsThatHoldEachOther() {
    world.run(
        world.createPort(
            P,
            "dpus/a",
            "pf0vf0",
            pairs(pair("10.0.0.1/32"), pair("10.0.0.4/32"), pair("10.0.0.4/30"))));
    assertThat(port(P).addresses()).containsExactly(IpAddress.parse("10.0.0.2"));
    world.port(Q, "dpus/a", 1).port(BLUE + "/ports/r", "dpus/a", 2);
    assertThat(port(Q).addresses()).containsExactly(IpAddress.parse("10.0.0.3"));
    assertThat(port(BLUE + "/ports/r").addresses()).containsExactly(IpAddress.parse("10.0.0.8"));
  }

  @Test
  void aPrefixThatIsReservedToItsEndIsExhausted() {
    world.network("tenants/acme/networks/red", "fd00::/16");
    String red = "tenants/acme/networks/red/ports/";
    world.run(world.createPort(red + "p", "dpus/a", "pf0vf0", pairs(pair("fd00:8000::/17"))));
    world.run(world.createPort(red + "q", "dpus/a", "pf0vf1", pairs(pair("fd00::8/125"))));
    RefusedException refusal =
        world.refusal(world.createPort(red + "r", "dpus/a", "pf0vf2", pairs(pair("fd00::/17"))));
    assertThat(refusal.kind()).isEqualTo(Kind.RESOURCE_EXHAUSTED);
  }

  @Test
  void limitsAreKeptUntilTheyAreChanged() {
    world.port(P, "dpus/a", 0);
    RateLimits limits =
        new RateLimits(new RateLimits.Rate(100, 0, 0, 0), RateLimits.Rate.NONE, 50, 5);
    world.run(update(P, patch(null, null, limits)));
    world.run(update(P, pairs(pair("10.0.0.100/32"))));
    assertThat(port(P).limits()).isEqualTo(limits);
    world.run(update(P, patch(null, null, RateLimits.NONE)));
    assertThat(port(P).limits()).isEqualTo(RateLimits.NONE);
  }

  @Test
  void aPrefixIsNotMadeSmallerThanAPortsPairs() {
    world.run(world.createPort(P, "dpus/a", "pf0vf0", pairs(pair("10.0.0.128/25"))));
    RefusedException refusal =
        world.refusal(
            update(new NetworkPatch(null, List.of(Cidr.parse("10.0.0.0/25")), null, null, null)));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("ipv4_cidr");
    assertThat(refusal.reason()).contains(P + " may use 10.0.0.128/25");
  }

  @Test
  void aRouterIsAnAddressOfTheNetwork() {
    world.run(update(new NetworkPatch(null, null, null, null, via("10.0.0.254"))));
    assertThat(world.image().network(NetworkName.parse(BLUE)).orElseThrow().hosts())
        .isEqualTo(via("10.0.0.254"));
    for (String hop : List.of("10.0.1.1", "10.0.0.255", "10.0.0.0")) {
      RefusedException refusal =
          world.refusal(update(new NetworkPatch(null, null, null, null, via(hop))));
      assertThat(refusal.kind()).as(hop).isEqualTo(Kind.INVALID_ARGUMENT);
      assertThat(refusal.field()).as(hop).isEqualTo("host_configuration.routes[0].next_hop");
    }
  }

  private UpdateNetwork update(NetworkPatch patch) {
    return new UpdateNetwork(world.request(), NetworkName.parse(BLUE), patch, "");
  }

  private UpdatePort update(String port, PortSecurity security) {
    return update(port, patch(null, security.allowedPairs(), null));
  }

  private UpdatePort update(String port, PortPatch patch) {
    return new UpdatePort(world.request(), PortName.parse(port), patch, "", KnownFunctions.NONE);
  }

  private static PortPatch patch(
      @org.jspecify.annotations.Nullable List<SecurityGroupName> groups,
      @org.jspecify.annotations.Nullable List<AddressPair> pairs,
      @org.jspecify.annotations.Nullable RateLimits limits) {
    return new PortPatch(null, null, null, null, null, null, groups, pairs, limits);
  }

  private Port port(String name) {
    return world.image().port(PortName.parse(name)).orElseThrow();
  }

  private static HostConfiguration via(String hop) {
    return new HostConfiguration(
        List.of(),
        List.of(new HostConfiguration.Route(Cidr.parse("0.0.0.0/0"), IpAddress.parse(hop))),
        HostConfiguration.DEFAULT_LEASE);
  }

  private static PortSecurity groups(String... names) {
    return new PortSecurity(Arrays.stream(names).map(SecurityGroupName::parse).toList(), List.of());
  }

  private static PortSecurity pairs(AddressPair... pairs) {
    return new PortSecurity(List.of(), List.of(pairs));
  }

  private static AddressPair pair(String cidr) {
    return new AddressPair(Cidr.parse(cidr), Optional.empty());
  }
}
