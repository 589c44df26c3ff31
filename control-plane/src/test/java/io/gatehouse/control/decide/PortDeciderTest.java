package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.model.Port;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortDeciderTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String P = BLUE + "/ports/p";
  private static final String Q = BLUE + "/ports/q";

  private final World world =
      new World()
          .tenant("tenants/acme")
          .tenant("tenants/other")
          .dpu("dpus/a", "192.0.2.1", 9_000)
          .dpu("dpus/b", "192.0.2.2", 1_500)
          .dpu("dpus/c", "2001:db8::3", 1_500)
          .network(BLUE, "10.0.0.0/29", "fd00::/126")
          .network("tenants/other/networks/blue", "10.0.0.0/29");

  @Test
  void whatIsNotAskedForIsAllocated() {
    world.port(P, "dpus/a", 0).port(Q, "dpus/a", 1);
    Port port = port(P);
    assertThat(port.addresses()).containsExactly(ip("10.0.0.1"), ip("fd00::1"));
    assertThat(port(Q).addresses()).containsExactly(ip("10.0.0.2"), ip("fd00::2"));
    assertThat(port.mac().isGroup()).isFalse();
    assertThat(port.mac().bits() >> 40 & 2).as("locally administered").isEqualTo(2);
    assertThat(port.mac()).isNotEqualTo(port(Q).mac());
  }

  @Test
  void theLowestFreeAddressIsTakenAndTheLastOneIsTheEnd() {
    world.run(world.createPort(P, "dpus/a", "pf0vf0", "10.0.0.2"));
    for (int i = 1; i <= 5; i++) {
      world.run(world.createPort(BLUE + "/ports/x" + i, "dpus/a", "pf0vf" + i, free(i)));
    }
    RefusedException refusal = world.refusal(world.createPort(Q, "dpus/a", "pf0vf9"));
    assertThat(refusal.kind()).isEqualTo(Kind.RESOURCE_EXHAUSTED);
    assertThat(refusal.reason()).isEqualTo("no address of 10.0.0.0/29 in " + BLUE + " is free");
  }

  private static String free(int i) {
    return "10.0.0." + (i == 1 ? 1 : i + 1);
  }

  @Test
  void gapsAreFilledFromBelow() {
    for (int i = 1; i <= 3; i++) {
      world.port(BLUE + "/ports/x" + i, "dpus/a", i);
    }
    world.delete(BLUE + "/ports/x2").port(P, "dpus/a", 9);
    assertThat(port(P).addresses()).containsExactly(ip("10.0.0.2"), ip("fd00::2"));
  }

  @Test
  void f32EachCreationHasAnotherUid() {
    world.port(P, "dpus/a", 0);
    String first = port(P).uid();
    world.delete(P).port(P, "dpus/a", 0);
    assertThat(port(P).uid()).isNotEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0,    is the network address of 10.0.0.0/29",
    "10.0.0.7,    is the broadcast address of 10.0.0.0/29",
    "10.0.0.8,    is outside 10.0.0.0/29 and fd00::/126",
    "fd00::,      is the subnet-router anycast address of fd00::/126",
    "fd00::4,     is outside 10.0.0.0/29 and fd00::/126"
  })
  void anAddressThatNoHostCanHaveIsRefused(String address, String reason) {
    RefusedException refusal = world.refusal(world.createPort(P, "dpus/a", "pf0vf0", address));
    assertThat(refusal.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(refusal.field()).isEqualTo("ip_addresses[0]");
    assertThat(refusal.reason()).endsWith(reason);
  }

  @Test
  void whatIsTakenIsRefused() {
    MacAddress mac = MacAddress.parse("02:00:00:00:00:0a");
    world.run(world.createPort(P, "dpus/a", "pf0vf0", mac));
    taken(world.createPort(P, "dpus/a", "pf0vf1"), "name", P + " exists already");
    taken(world.createPort(Q, "dpus/a", "pf0vf1", mac), "mac_address", mac + " is taken by " + P);
    taken(
        world.createPort(Q, "dpus/a", "pf0vf1", "10.0.0.1"),
        "ip_addresses[0]",
        "10.0.0.1 is taken by " + P);
    taken(world.createPort(Q, "dpus/a", "pf0vf0"), "function", "pf0vf0 of dpus/a is taken by " + P);
    taken(
        world.createPort(Q, "dpus/a", "0000:03:00.0/pf0vf0"),
        "function",
        "0000:03:00.0/pf0vf0 of dpus/a is taken by " + P);
    taken(
        world.createPort("tenants/other/networks/blue/ports/p", "dpus/a", "pf0vf0"),
        "function",
        "pf0vf0 of dpus/a is taken by a port of another tenant");
  }

  private void taken(Command command, String field, String reason) {
    RefusedException refusal = world.refusal(command);
    assertThat(refusal.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(refusal.field()).isEqualTo(field);
    assertThat(refusal.reason()).isEqualTo(reason);
  }

  @Test
  void functionsOfTwoPciDevicesDiffer() {
    world.run(world.createPort(P, "dpus/a", "0000:03:00.0/pf0vf0"));
    world.run(world.createPort(Q, "dpus/a", "0000:04:00.0/pf0vf0"));
    assertThat(world.image().ports()).hasSize(2);
  }

  @Test
  void f29AnotherTenantsMacAndAddressAreFree() {
    MacAddress mac = MacAddress.parse("02:00:00:00:00:0a");
    world.run(world.createPort(P, "dpus/a", "pf0vf0", mac));
    world.run(world.createPort("tenants/other/networks/blue/ports/p", "dpus/a", "pf0vf1", mac));
    assertThat(world.image().ports().values()).extracting(Port::mac).containsOnly(mac);
  }

  @Test
  void f47AFunctionThatTheDpuLacksIsRefusedWithThoseItHas() {
    KnownFunctions known =
        KnownFunctions.of(new DpuName("a"), List.of("0000:03:00.0/pf0vf1", "pf0vf0"));
    RefusedException refusal = world.refusal(world.createPort(P, "dpus/a", "pf0vf2", known));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("function");
    assertThat(refusal.reason())
        .isEqualTo("dpus/a has no function pf0vf2; it has 0000:03:00.0/pf0vf1, pf0vf0");
    world.run(world.createPort(P, "dpus/a", "pf0vf1", known));
  }

  @Test
  void theQuotaHolds() {
    world.run(world.createTenant("tenants/small", new TenantQuota(1, 1, 100)));
    world.network("tenants/small/networks/n", "10.0.0.0/24");
    world.port("tenants/small/networks/n/ports/p", "dpus/a", 0);
    RefusedException refusal =
        world.refusal(world.createPort("tenants/small/networks/n/ports/q", "dpus/a", "pf0vf1"));
    assertThat(refusal.kind()).isEqualTo(Kind.RESOURCE_EXHAUSTED);
    assertThat(refusal.reason()).isEqualTo("tenants/small has 1 ports, its quota is 1");
  }

  @Test
  void anUnknownDpuOrNetworkIsNotFound() {
    RefusedException dpu = world.refusal(world.createPort(P, "dpus/z", "pf0vf0"));
    assertThat(dpu.kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(dpu.field()).isEqualTo("dpu");
    RefusedException network =
        world.refusal(world.createPort("tenants/acme/networks/no/ports/p", "dpus/a", "pf0vf0"));
    assertThat(network.kind()).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void tunnelsOfTwoFamiliesInOneNetworkAreRefused() {
    world.port(P, "dpus/b", 0);
    RefusedException refusal = world.refusal(world.createPort(Q, "dpus/c", "pf0vf0"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).contains("dpus/c has 2001:db8::3", "dpus/b has 192.0.2.2");
  }

  @Test
  void anAutomaticMtuFollowsTheDpusInTheSameEntry() {
    world.port(P, "dpus/a", 0);
    assertThat(mtu()).isEqualTo(8_950);
    Entry entry = world.run(world.createPort(Q, "dpus/b", "pf0vf0"));
    assertThat(entry.events()).hasExactlyElementsOfTypes(PortPut.class, NetworkPut.class);
    assertThat(mtu()).isEqualTo(1_450);
    world.delete(Q);
    assertThat(mtu()).as("raised only when all take it").isEqualTo(1_450);
    world.settle(BLUE);
    assertThat(mtu()).isEqualTo(8_950);
    world.delete(P);
    assertThat(mtu()).as("nobody carries it").isEqualTo(8_950);
  }

  @Test
  void aFixedMtuKeepsSmallerDpusOut() {
    world.port(P, "dpus/a", 0);
    world.run(
        new UpdateNetwork(
            world.request(),
            NetworkName.parse(BLUE),
            new NetworkPatch(null, null, null, 8_000, null),
            ""));
    RefusedException refusal = world.refusal(world.createPort(Q, "dpus/b", "pf0vf0"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("dpu");
    assertThat(refusal.reason())
        .isEqualTo("mtu 8000 needs 8050 on the underlay, dpus/b has 1500; largest that fits 1450");
  }

  @Test
  void aMoveKeepsUidAndAddresses() {
    world.port(P, "dpus/a", 0);
    Port before = port(P);
    PortPatch patch =
        new PortPatch(null, new DpuName("b"), "pf0vf7", null, null, null, null, null, null);
    world.run(update(P, patch));
    Port after = port(P);
    assertThat(after.dpu()).isEqualTo(new DpuName("b"));
    assertThat(after.uid()).isEqualTo(before.uid());
    assertThat(after.addresses()).isEqualTo(before.addresses());
    assertThat(mtu()).isEqualTo(1_450);
  }

  @Test
  void aMoveOfTheOnlyPortMayChangeTheFamily() {
    world.port(P, "dpus/a", 0);
    world.run(
        update(P, new PortPatch(null, new DpuName("c"), null, null, null, null, null, null, null)));
    assertThat(mtu()).isEqualTo(1_430);
  }

  @Test
  void anUpdateIsCheckedLikeACreation() {
    world.port(P, "dpus/a", 0).port(Q, "dpus/a", 1);
    PortPatch function = new PortPatch(null, null, "pf0vf1", null, null, null, null, null, null);
    assertThat(world.refusal(update(P, function)).field()).isEqualTo("function");
    PortPatch mac = new PortPatch(null, null, null, port(Q).mac(), null, null, null, null, null);
    assertThat(world.refusal(update(P, mac)).field()).isEqualTo("mac_address");
    PortPatch address =
        new PortPatch(null, null, null, null, List.of(ip("10.0.0.2")), null, null, null, null);
    assertThat(world.refusal(update(P, address)).field()).isEqualTo("ip_addresses[0]");
  }

  private UpdatePort update(String name, PortPatch patch) {
    return new UpdatePort(world.request(), PortName.parse(name), patch, "", KnownFunctions.NONE);
  }

  private Port port(String name) {
    return world.image().port(PortName.parse(name)).orElseThrow();
  }

  private int mtu() {
    return world.image().network(NetworkName.parse(BLUE)).orElseThrow().effectiveMtuBytes();
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text);
  }
}
