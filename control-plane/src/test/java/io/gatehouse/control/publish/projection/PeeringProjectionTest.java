package io.gatehouse.control.publish.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.control.decide.peering.PeeringCommand.DeletePeering;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.security.PortSecurity;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Blue of acme is on a and both, red of globex on b and both, and c has neither. */
class PeeringProjectionTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String RED = "tenants/globex/networks/red";
  private static final String WEB = "tenants/globex/securityGroups/web";
  private static final String[] OF_A = {
    "dpus/a", "dpus/both", BLUE, BLUE + "/ports/a", BLUE + "/ports/both"
  };

  private final ResourceEncoder encoder = new ResourceEncoder();
  private final World world =
      new World().tenant("tenants/acme").tenant("tenants/globex").tenant("tenants/initech");

  PeeringProjectionTest() {
    world
        .dpu("dpus/a", "192.0.2.1", 1_500)
        .dpu("dpus/b", "192.0.2.2", 1_500)
        .dpu("dpus/both", "192.0.2.3", 1_500)
        .dpu("dpus/c", "192.0.2.4", 1_500)
        .network(BLUE, "10.1.0.0/16")
        .network(RED, "10.2.0.0/16", "fd00:2::/64")
        .network("tenants/initech/networks/quiet", "10.3.0.0/16")
        .port("tenants/initech/networks/quiet/ports/c", "dpus/c", 0)
        .port(BLUE + "/ports/a", "dpus/a", 0)
        .port(BLUE + "/ports/both", "dpus/both", 0)
        .port(RED + "/ports/both", "dpus/both", 1)
        .group(WEB)
        .run(
            world.createPort(
                RED + "/ports/b",
                "dpus/b",
                "pf0vf0",
                new PortSecurity(List.of(SecurityGroupName.parse(WEB)), List.of())));
  }

  @Test
  void oneConsentIsToldToNoDpu() {
    Image before = world.image();
    world.peering(BLUE + "/peerings/x", RED);
    for (DpuName dpu : world.image().dpus().keySet()) {
      assertThat(keys(dpu.dpu())).isEqualTo(keys(before, dpu.dpu()));
      assertThat(world.image().desiredRevision(dpu)).isEqualTo(before.desiredRevision(dpu));
    }
  }

  @Test
  void eachSideLearnsThePeersPrefixesPortsAndWhereTheyAre() {
    peer();
    assertThat(keys("a"))
        .containsExactlyInAnyOrder(
            with(OF_A, BLUE + "/peerings/x", RED + "/ports/b", RED + "/ports/both", "dpus/b"));
    assertThat(keys("b"))
        .containsExactlyInAnyOrder(
            "dpus/a",
            "dpus/b",
            "dpus/both",
            RED,
            RED + "/ports/b",
            RED + "/ports/both",
            RED + "/peerings/y",
            BLUE + "/ports/a",
            BLUE + "/ports/both",
            WEB);
    assertThat(of("a", PeeringPolicy.class))
        .containsExactly(
            new PeeringPolicy(
                PeeringName.parse(BLUE + "/peerings/x"),
                NetworkName.parse(RED),
                world.image().network(NetworkName.parse(RED)).orElseThrow().vni(),
                List.of(Cidr.parse("10.2.0.0/16"), Cidr.parse("fd00:2::/64")),
                1_450));
  }

  @Test
  void aDpuWithBothNetworksHasBothHalvesAndEachPortOnce() {
    peer();
    assertThat(keys("both"))
        .doesNotHaveDuplicates()
        .contains(BLUE + "/peerings/x", RED + "/peerings/y", RED + "/ports/b", BLUE + "/ports/a");
    assertThat(keys("c")).as("no business of its").noneMatch(key -> key.contains("peerings"));
  }

  @Test
  void whoIsInAGroupIsToldToThatNetworksDpusOnly() {
    peer();
    assertThat(groupsOfPortB("a")).isEmpty();
    assertThat(groupsOfPortB("both")).containsExactly(SecurityGroupName.parse(WEB));
  }

  @Test
  void theEndIsARemovalOfAllThatCameWithIt() {
    Projection before = projection("a");
    peer();
    Projection during = projection("a");
    assertThat(during.since(before).upserts()).hasSize(4);
    end(RED + "/peerings/y");
    PolicyDelta delta = projection("a").since(during);
    assertThat(delta.upserts()).isEmpty();
    assertThat(delta.removals())
        .extracting(removal -> removal.getName())
        .containsExactlyInAnyOrder(
            BLUE + "/peerings/x", RED + "/ports/b", RED + "/ports/both", "dpus/b");
    assertThat(projection("a").inventoryHash()).isEqualTo(before.inventoryHash());
  }

  @Test
  void startAndEndConcernTheDpusOfBothAndNobodyElse() {
    world.peering(BLUE + "/peerings/x", RED);
    concerns(() -> world.peering(RED + "/peerings/y", BLUE), "a", "b", "both");
    concerns(() -> end(BLUE + "/peerings/x"), "a", "b", "both");
    concerns(() -> end(RED + "/peerings/y"));
  }

  @Test
  void whatBecomesOfThePeerIsFollowed() {
    peer();
    concerns(() -> world.port(RED + "/ports/late", "dpus/b", 2), "a", "b", "both");
    assertThat(keys("a")).contains(RED + "/ports/late");
    NetworkPatch renumbered =
        new NetworkPatch(null, null, List.of(Cidr.parse("fd00:2::/63")), 1_400, null);
    concerns(
        () -> world.run(new UpdateNetwork(world.request(), NetworkName.parse(RED), renumbered, "")),
        "a",
        "b",
        "both");
    assertThat(of("a", PeeringPolicy.class))
        .singleElement()
        .satisfies(peering -> assertThat(peering.peerMtuBytes()).isEqualTo(1_400))
        .satisfies(peering -> assertThat(peering.peerCidrs()).contains(Cidr.parse("fd00:2::/63")));
    world.delete(RED + "/ports/late");
    assertThat(keys("a")).doesNotContain(RED + "/ports/late");
  }

  @Test
  void nothingIsToldOfASuspendedPeer() {
    peer();
    concerns(() -> suspend(true), "a", "b", "both");
    assertThat(keys("a")).containsExactlyInAnyOrder(OF_A);
    assertThat(keys("both")).noneMatch(key -> key.contains("peerings"));
    suspend(false);
    assertThat(keys("a")).contains(BLUE + "/peerings/x", RED + "/ports/b");
  }

  @Test
  void aDpuThatLeavesTheNetworkForgetsThePeer() {
    peer();
    world.delete(BLUE + "/ports/a");
    assertThat(keys("a")).containsExactly("dpus/a");
    assertThat(world.image().desiredRevision(new DpuName("a"))).isEqualTo(world.image().revision());
  }

  private void peer() {
    world.peering(BLUE + "/peerings/x", RED).peering(RED + "/peerings/y", BLUE);
  }

  private void end(String peering) {
    world.run(world.peering(new DeletePeering(PeeringName.parse(peering), "")));
  }

  private void suspend(boolean suspended) {
    world.run(
        new UpdateTenant(
            world.request(),
            new TenantName("globex"),
            new TenantPatch(null, null, null, null, suspended),
            ""));
  }

  private void concerns(Runnable change, String... dpus) {
    Image before = world.image();
    change.run();
    Entry entry = world.entries().get(world.entries().size() - 1);
    assertThat(AffectedDpus.of(before, world.image(), entry))
        .extracting(DpuName::dpu)
        .containsExactly(dpus);
    for (DpuName dpu : world.image().dpus().keySet()) {
      boolean concerned = List.of(dpus).contains(dpu.dpu());
      assertThat(!values(before, dpu).equals(values(world.image(), dpu)))
          .as("%s has another policy", dpu)
          .isEqualTo(concerned);
      assertThat(world.image().desiredRevision(dpu) == entry.revision())
          .as("%s has a revision to reach", dpu)
          .isEqualTo(concerned);
    }
  }

  private List<SecurityGroupName> groupsOfPortB(String dpu) {
    return of(dpu, RemotePortPolicy.class).stream()
        .filter(port -> port.key().equals(RED + "/ports/b"))
        .flatMap(port -> port.security().groups().stream())
        .toList();
  }

  private <T extends PolicyResource> List<T> of(String dpu, Class<T> kind) {
    return DpuProjector.project(world.image(), new DpuName(dpu)).stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  private Projection projection(String dpu) {
    return encoder.project(world.image(), new DpuName(dpu)).orElseThrow();
  }

  private static Set<PolicyResource> values(Image image, DpuName dpu) {
    return Set.copyOf(DpuProjector.project(image, dpu));
  }

  private List<String> keys(String dpu) {
    return keys(world.image(), dpu);
  }

  private static List<String> keys(Image image, String dpu) {
    return DpuProjector.project(image, new DpuName(dpu)).stream().map(PolicyResource::key).toList();
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }
}
