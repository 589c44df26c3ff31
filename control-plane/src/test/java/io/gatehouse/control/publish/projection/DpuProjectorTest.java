package io.gatehouse.control.publish.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.testing.TestFleet;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.VtepPolicy;
import io.gatehouse.wire.PolicyVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class DpuProjectorTest {
  private static final DpuName D1 = new DpuName("d1");

  private final TestFleet fleet = new TestFleet();

  @Test
  void aDpuWithoutPortsKnowsItselfOnly() {
    fleet.become("d1", "acme/blue/web@d2");
    assertThat(keys(D1)).containsExactly("dpus/d1");
  }

  @Test
  void anUnknownDpuKnowsNothing() {
    fleet.become("d2");
    assertThat(keys(D1)).isEmpty();
  }

  @Test
  void aDpuKnowsItsNetworksTheirPortsAndWhereThoseAre() {
    fleet.become("acme/blue/web@d1", "acme/blue/db@d2", "acme/red/x@d1", "beta/blue/web@d1");
    assertThat(keys(D1))
        .containsExactly(
            "dpus/d1",
            "dpus/d2",
            "tenants/acme/networks/blue",
            "tenants/acme/networks/blue/ports/db",
            "tenants/acme/networks/blue/ports/web",
            "tenants/acme/networks/red",
            "tenants/acme/networks/red/ports/x",
            "tenants/beta/networks/blue",
            "tenants/beta/networks/blue/ports/web");
  }

  @Test
  void aDpuNeverLearnsOfNetworksThatItDoesNotCarry() {
    fleet.become(
        "acme/blue/web@d1",
        "acme/blue/db@d2",
        "acme/red/a@d2",
        "acme/red/b@d3",
        "beta/blue/web@d2",
        "beta/blue/db@d4");
    assertThat(keys(D1))
        .containsExactly(
            "dpus/d1",
            "dpus/d2",
            "tenants/acme/networks/blue",
            "tenants/acme/networks/blue/ports/db",
            "tenants/acme/networks/blue/ports/web");
  }

  @Test
  void aSuspendedTenantIsNotThere() {
    fleet.become("!acme", "acme/blue/web@d1", "acme/blue/db@d2", "beta/blue/web@d1");
    assertThat(keys(D1))
        .containsExactly(
            "dpus/d1", "tenants/beta/networks/blue", "tenants/beta/networks/blue/ports/web");
  }

  @Test
  void aDisabledPortIsKnownWhereItIsAndNowhereElse() {
    fleet.become("acme/blue/web@d1-", "acme/blue/db@d2-");
    List<PolicyResource> policy = DpuProjector.project(fleet.image(), D1);
    assertThat(keys(D1))
        .containsExactly(
            "dpus/d1", "tenants/acme/networks/blue", "tenants/acme/networks/blue/ports/web");
    assertThat(policy)
        .filteredOn(LocalPortPolicy.class::isInstance)
        .allMatch(port -> !((LocalPortPolicy) port).enabled());
  }

  @Test
  void theHashIsTheOneThatTheAgentComputes() {
    fleet.become("acme/blue/web@d1", "acme/blue/db@d2", "acme/blue-x/web@d1");
    Projection projection = projection(fleet.image());
    TreeMap<String, Long> versions = new TreeMap<>();
    projection.resources().forEach(r -> versions.put(r.key(), r.version()));
    assertThat(projection.inventoryHash()).isEqualTo(PolicyVersions.inventoryHash(versions));
    assertThat(projection.resources()).extracting(EncodedResource::key).isSorted();
  }

  @Test
  void anUnchangedRecordIsEncodedOnce() {
    ResourceEncoder encoder = new ResourceEncoder();
    fleet.become("acme/blue/web@d1", "acme/blue/db@d2");
    Projection before = encoder.project(fleet.image(), D1).orElseThrow();
    fleet.commit(List.of(new Event.PortPut(fleet.port("acme/blue/new", "d2", true))));
    Projection after = encoder.project(fleet.image(), D1).orElseThrow();
    assertThat(after.resources()).hasSize(before.resources().size() + 1);
    assertThat(after.resources()).containsAll(before.resources());
  }

  @Test
  void deltasLeadFromAnyStateToAnyOther() {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Projection from = projection(fleet.become(words(random)).after());
      Projection to = projection(fleet.become(words(random)).after());
      TreeMap<String, Long> held = new TreeMap<>();
      from.resources().forEach(r -> held.put(r.key(), r.version()));
      PolicyDelta byInventory = to.since(held);
      PolicyDelta delta = to.since(from);
      assertThat(delta.removals()).as("seed %s", seed).isEqualTo(byInventory.removals());
      assertThat(delta.upserts()).as("seed %s", seed).isEqualTo(byInventory.upserts());
      delta.upserts().forEach(r -> held.put(r.key(), r.version()));
      delta.removals().forEach(r -> assertThat(held.remove(r.getName(), r.getVersion())).isTrue());
      assertThat(PolicyVersions.inventoryHash(held)).isEqualTo(to.inventoryHash());
    }
  }

  private Projection projection(Image image) {
    return new ResourceEncoder()
        .project(image, D1)
        .orElseGet(() -> Projection.of(image.revision(), List.of()));
  }

  private static String[] words(SplittableRandom random) {
    TreeSet<String> ports = new TreeSet<>();
    List<String> words = new ArrayList<>(List.of("d1", "d2", "d3"));
    for (int i = random.nextInt(12); i > 0; i--) {
      String name = "t" + random.nextInt(2) + "/n" + random.nextInt(2) + "/p" + random.nextInt(6);
      if (ports.add(name)) {
        words.add(name + "@d" + (1 + random.nextInt(3)) + (random.nextInt(4) == 0 ? "-" : ""));
      }
    }
    if (random.nextInt(4) == 0) {
      words.add("!t" + random.nextInt(2));
    }
    return words.toArray(String[]::new);
  }

  private List<String> keys(DpuName dpu) {
    List<PolicyResource> policy = DpuProjector.project(fleet.image(), dpu);
    assertThat(policy).filteredOn(VtepPolicy.class::isInstance).doesNotHaveDuplicates();
    return policy.stream().map(PolicyResource::key).sorted().toList();
  }
}
