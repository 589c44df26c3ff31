package io.gatehouse.control.decide.peering;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.peering.PeeringCommand.CreatePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.DeletePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.RenamePeering;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event.PeeringDeleted;
import io.gatehouse.control.image.Event.PeeringPut;
import io.gatehouse.control.image.RestingVni;
import io.gatehouse.model.Peering;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks of acme, globex and initech: blue 10.1, red 10.2, gold 10.3. */
class PeeringDeciderTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String RED = "tenants/globex/networks/red";
  private static final String GOLD = "tenants/initech/networks/gold";

  private final World world =
      new World()
          .tenant("tenants/acme")
          .tenant("tenants/globex")
          .tenant("tenants/initech")
          .dpu("dpus/a", "192.0.2.1", 1_500)
          .dpu("dpus/b", "192.0.2.2", 1_500)
          .network(BLUE, "10.1.0.0/16")
          .network(RED, "10.2.0.0/16")
          .network(GOLD, "10.3.0.0/16");

  @ParameterizedTest
  @CsvSource({BLUE + ',' + RED, RED + ',' + BLUE})
  void whoeverAgreesFirstWaitsAndTheSecondOpensBoth(String first, String second) {
    world.peering(first + "/peerings/x", second);
    assertThat(active(first)).isFalse();
    assertThat(world.image().peersOf(network(first))).isEmpty();
    Entry entry = world.run(create(second, first));
    assertThat(entry.events())
        .extracting(event -> ((PeeringPut) event).peering().name().network().toString())
        .as("the one that was asked for comes first")
        .containsExactly(second, first);
    assertThat(active(first)).isTrue();
    assertThat(active(second)).isTrue();
    assertThat(world.image().peersOf(network(first))).containsExactly(network(second));
    assertThat(world.image().peersOf(network(second))).containsExactly(network(first));
  }

  @ParameterizedTest
  @CsvSource({BLUE + ',' + RED, RED + ',' + BLUE})
  void whoeverEndsItEndsItForBothAtOnce(String ending, String other) {
    peers(BLUE, RED);
    Entry entry = world.run(delete(ending));
    assertThat(entry.events()).hasSize(2);
    assertThat(entry.events().get(0)).isEqualTo(new PeeringDeleted(name(ending)));
    assertThat(active(other)).as("stays, and waits").isFalse();
    assertThat(world.image().peersOf(network(other))).isEmpty();
    world.run(create(ending, other));
    assertThat(active(other)).isTrue();
  }

  @Test
  void theFirstSideLearnsNothingOfTheOther() {
    world.network("tenants/globex/networks/same", "10.1.0.0/16");
    Peering there = first("tenants/globex/networks/same");
    Peering absent = first("tenants/globex/networks/none");
    Peering nobody = first("tenants/nobody/networks/blue");
    assertThat(List.of(there, absent, nobody)).noneMatch(Peering::active);
  }

  @Test
  void overlappingPrefixesAreNamedToTheSecond() {
    world.network("tenants/globex/networks/wide", "10.1.128.0/17");
    world.peering("tenants/globex/networks/wide/peerings/x", BLUE);
    RefusedException refusal = world.refusal(create(BLUE, "tenants/globex/networks/wide"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("peer_network");
    assertThat(refusal.reason())
        .isEqualTo("10.1.0.0/16 overlaps 10.1.128.0/17 of the peer network");
  }

  @Test
  void twoPeersOfOneNetworkDoNotOverlap() {
    world.network("tenants/acme/networks/like-gold", "10.3.1.0/24");
    peers("tenants/acme/networks/like-gold", RED);
    world.peering(RED + "/peerings/y", GOLD);
    assertThat(world.refusal(create(GOLD, RED)).reason())
        .as("what red reaches is not told")
        .isEqualTo(
            "10.3.0.0/16 overlaps a prefix that the peer network reaches by another peering");
    world.run(delete(RED + "/peerings/y"));
    world.peering(GOLD + "/peerings/x", RED);
    assertThat(world.refusal(create(RED, "y", GOLD)).reason())
        .as("what red reaches itself is")
        .isEqualTo(
            "10.3.0.0/16 of the peer network overlaps 10.3.1.0/24, which is reached by "
                + RED
                + "/peerings/x");
  }

  @Test
  void prefixesOfActivePeersChangeOnlyApart() {
    peers(BLUE, RED);
    peers(GOLD, "y", RED, "y");
    assertThat(renumber(BLUE, "10.2.128.0/17").reason())
        .isEqualTo("10.2.128.0/17 overlaps 10.2.0.0/16 of the peer network");
    RefusedException refusal = renumber(BLUE, "10.3.1.0/24");
    assertThat(refusal.field()).isEqualTo("ipv4_cidr");
    assertThat(refusal.reason())
        .isEqualTo(
            "10.3.1.0/24 overlaps a prefix that the peer network reaches by another peering");
    world.run(delete(RED));
    assertThat(renumber(BLUE, "10.3.1.0/24")).isNull();
  }

  @Test
  void aNetworkNamesAPeerOnceAndNotItself() {
    world.peering(BLUE + "/peerings/x", RED);
    RefusedException twice = world.refusal(create(BLUE, "y", RED));
    assertThat(twice.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(twice.reason())
        .isEqualTo(BLUE + " has a peering with that network already: " + BLUE + "/peerings/x");
    assertThat(world.refusal(create(BLUE, GOLD)).kind()).isEqualTo(Kind.ALREADY_EXISTS);
    RefusedException itself = world.refusal(create(BLUE, "y", BLUE));
    assertThat(itself.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(itself.field()).isEqualTo("peer_network");
    assertThat(world.refusal(create("tenants/acme/networks/none", RED)).kind())
        .isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void networksOfOneTenantMayPeer() {
    world.network("tenants/acme/networks/green", "10.4.0.0/16");
    peers(BLUE, "tenants/acme/networks/green");
    assertThat(active(BLUE)).isTrue();
  }

  @Test
  void eightPeeringsFit() {
    for (int i = 0; i < Peering.MAX_PER_NETWORK; i++) {
      world.peering(BLUE + "/peerings/x" + i, "tenants/globex/networks/n" + i);
    }
    RefusedException refusal = world.refusal(create(BLUE, RED));
    assertThat(refusal.kind()).isEqualTo(Kind.RESOURCE_EXHAUSTED);
    assertThat(refusal.reason()).isEqualTo(BLUE + " has 8 peerings, at most 8 fit");
  }

  @Test
  void aNetworkWithAPeeringOfItsOwnStays() {
    world.peering(BLUE + "/peerings/x", RED);
    RefusedException refusal = world.refusal(new DeleteNetwork(world.request(), network(BLUE), ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).isEqualTo(BLUE + " still has peerings: " + BLUE + "/peerings/x");
    world.run(new DeleteNetwork(world.request(), network(RED), ""));
    assertThat(active(BLUE)).as("names what is not there").isFalse();
  }

  @Test
  void whatOthersHadAgreedToWithATenantEndsWithIt() {
    world.peering(BLUE + "/peerings/x", RED).peering(GOLD + "/peerings/x", RED);
    world.peering(BLUE + "/peerings/y", GOLD);
    world.run(new DeleteNetwork(world.request(), network(RED), ""));
    assertThat(active(BLUE)).as("the consent waits for a network of that name").isFalse();
    Entry entry = world.run(new DeleteTenant(world.request(), new TenantName("globex"), ""));
    assertThat(entry.events())
        .contains(new PeeringDeleted(name(BLUE)), new PeeringDeleted(name(GOLD)));
    assertThat(world.image().peerings().keySet())
        .extracting(Object::toString)
        .containsExactly(BLUE + "/peerings/y");
    // Who takes the name next is no peer of anybody.
    world.tenant("tenants/globex").network(RED, "10.2.0.0/16").peering(RED + "/peerings/x", BLUE);
    assertThat(world.image().peersOf(network(RED))).isEmpty();
  }

  @Test
  void anEtagCoversTheState() {
    world.peering(BLUE + "/peerings/x", RED);
    String pending = Etag.of(half(BLUE));
    world.run(create(RED, BLUE));
    assertThat(world.refusal(world.peering(new DeletePeering(name(BLUE), pending))).kind())
        .isEqualTo(Kind.ABORTED);
    world.run(world.peering(new RenamePeering(name(BLUE), "to globex", Etag.of(half(BLUE)))));
    assertThat(half(BLUE).displayName()).isEqualTo("to globex");
    assertThat(active(BLUE)).isTrue();
    assertThat(half(BLUE).updatedAt()).isAfter(half(BLUE).createdAt());
  }

  @Test
  void peersHaveTunnelsOfOneFamily() {
    world.dpu("dpus/six", "2001:db8::6", 1_500).port(BLUE + "/ports/p", "dpus/a", 0);
    world.port(RED + "/ports/p", "dpus/six", 0).peering(BLUE + "/peerings/x", RED);
    RefusedException refusal = world.refusal(create(RED, BLUE));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).contains("address family").doesNotContain("dpus/a", "192.0.2");
    world.delete(RED + "/ports/p").run(create(RED, BLUE));
    assertThat(world.refusal(world.createPort(RED + "/ports/p", "dpus/six", "pf0vf0")).field())
        .isEqualTo("dpu");
    world.port(RED + "/ports/p", "dpus/b", 0);
    DpuPatch moved = new DpuPatch(null, IpAddress.parse("2001:db8::2"), null, null);
    assertThat(world.refusal(new UpdateDpu(world.request(), new DpuName("b"), moved, "")).field())
        .isEqualTo("vtep_address");
  }

  @Test
  void aVniRestsUntilThePeersDpusAreAskedToo() {
    world.port(BLUE + "/ports/p", "dpus/a", 0);
    peers(BLUE, RED);
    world.port(BLUE + "/ports/late", "dpus/b", 0);
    world.run(delete(RED));
    world.run(new DeleteNetwork(world.request(), network(RED), ""));
    assertThat(world.image().restingVnis().values())
        .extracting(RestingVni::dpus)
        .singleElement()
        .asInstanceOf(InstanceOfAssertFactories.collection(DpuName.class))
        .containsExactlyInAnyOrder(new DpuName("a"), new DpuName("b"));
  }

  private Peering first(String peer) {
    CreatePeering command =
        new CreatePeering(
            PeeringName.parse(BLUE + "/peerings/" + "x" + world.image().revision()),
            "",
            network(peer));
    return ((PeeringPut) world.run(world.peering(command)).events().get(0)).peering();
  }

  private RefusedException renumber(String network, String cidr) {
    NetworkPatch patch = new NetworkPatch(null, List.of(Cidr.parse(cidr)), null, null, null);
    return world.refusal(new UpdateNetwork(world.request(), network(network), patch, ""));
  }

  private void peers(String one, String other) {
    peers(one, "x", other, "x");
  }

  private void peers(String one, String oneId, String other, String otherId) {
    world.peering(one + "/peerings/" + oneId, other).peering(other + "/peerings/" + otherId, one);
  }

  private Command create(String network, String peer) {
    return create(network, "x", peer);
  }

  private Command create(String network, String id, String peer) {
    return world.peering(
        new CreatePeering(PeeringName.parse(network + "/peerings/" + id), "", network(peer)));
  }

  private Command delete(String networkOrName) {
    String full =
        networkOrName.contains("/peerings/") ? networkOrName : networkOrName + "/peerings/x";
    return world.peering(new DeletePeering(PeeringName.parse(full), ""));
  }

  private Peering half(String network) {
    return world.image().peering(name(network)).orElseThrow();
  }

  private boolean active(String network) {
    return half(network).active();
  }

  private static PeeringName name(String network) {
    return PeeringName.parse(network + "/peerings/x");
  }

  private static NetworkName network(String name) {
    return NetworkName.parse(name);
  }
}
