package io.gatehouse.control.decide.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.security.QuarantineCommand.ReleaseQuarantine;
import io.gatehouse.control.decide.security.QuarantineCommand.SetQuarantine;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.publish.projection.DpuProjector;
import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.control.publish.projection.ResourceEncoder;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Quarantines: who may set and release them, how long they last, and what DPUs are told. */
final class QuarantineDeciderTest {
  private static final String P = "tenants/acme/networks/blue/ports/p";
  private static final String Q = "tenants/acme/networks/blue/ports/q";
  private static final Optional<TenantName> FLEET = Optional.empty();
  private static final Optional<TenantName> ACME = Optional.of(new TenantName("acme"));

  private final World world =
      new World()
          .tenant("tenants/acme")
          .dpu("dpus/a", "192.0.2.1", 1_500)
          .dpu("dpus/b", "192.0.2.2", 1_500)
          .network("tenants/acme/networks/blue", "10.0.0.0/24")
          .port(P, "dpus/a", 0)
          .port(Q, "dpus/b", 0);

  @Test
  void aPortIsCutOffUntilItIsReleased() {
    set(P, FLEET, "odd scans", "10.0.0.9/32");
    assertThat(quarantine(P)).contains(told("odd scans", "10.0.0.9/32"));
    assertThat(quarantine(Q)).isEmpty();
    assertThat(standing(P).setBy()).isEqualTo("operators/test");
    set(P, FLEET, "worse");
    assertThat(quarantine(P)).contains(told("worse"));
    release(P, FLEET);
    assertThat(quarantine(P)).isEmpty();
    assertThat(refusal(new ReleaseQuarantine(target(P), FLEET)).kind()).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void onlyTheDpusOfWhatIsCutOffAreConcerned() {
    assertThat(set(P, FLEET, "x")).containsExactly(new DpuName("a"));
    assertThat(set("dpus/b", FLEET, "x")).containsExactly(new DpuName("b"));
    assertThat(set("tenants/acme", FLEET, "x")).containsExactly(new DpuName("a"), new DpuName("b"));
    assertThat(release(P, FLEET)).containsExactly(new DpuName("a"));
  }

  @Test
  void anAddressMustBeAllowedByEachQuarantine() {
    set("tenants/acme", FLEET, "unpaid", "10.0.0.0/28", "10.0.0.64/26", "fd00::/64");
    set(P, FLEET, "odd scans", "10.0.0.8/29", "10.0.0.0/25", "192.0.2.0/24");
    assertThat(quarantine(Q)).contains(told("unpaid", "10.0.0.0/28", "10.0.0.64/26", "fd00::/64"));
    assertThat(quarantine(P))
        .contains(told("odd scans; unpaid", "10.0.0.8/29", "10.0.0.0/28", "10.0.0.64/26"));
    set("dpus/a", FLEET, "broken");
    assertThat(quarantine(P)).contains(told("odd scans; unpaid; broken"));
  }

  @Test
  void theCutOffPortIsEncodedAnewAndTheFreeOneAsBefore() {
    ResourceEncoder encoder = new ResourceEncoder();
    DpuName a = new DpuName("a");
    Projection free = encoder.project(world.image(), a).orElseThrow();
    set(P, FLEET, "x");
    Projection held = encoder.project(world.image(), a).orElseThrow();
    assertThat(held.since(free).upserts()).hasSize(1);
    release(P, FLEET);
    assertThat(encoder.project(world.image(), a).orElseThrow().since(free).upserts()).isEmpty();
  }

  @Test
  void theEndOfAPortEndsItsQuarantineAndNoOther() {
    set(P, FLEET, "x");
    set("tenants/acme", FLEET, "y");
    set("dpus/a", FLEET, "z");
    world.delete(P).port(P, "dpus/a", 0);
    assertThat(quarantine(P)).contains(told("y; z"));
    world.delete(P).delete(Q).run(new DeleteDpu(world.request(), new DpuName("a"), ""));
    assertThat(world.image().quarantines())
        .containsOnlyKeys(target("dpus/a"), target("tenants/acme"));
    world.dpu("dpus/a", "192.0.2.7", 1_500).port(P, "dpus/a", 0);
    assertThat(quarantine(P)).as("the name is still cut off").contains(told("y; z"));
  }

  @Test
  void aTenantHasASayOverItsOwnPortsOnly() {
    set(P, ACME, "mine");
    assertThat(standing(P).byFleet()).isFalse();
    release(P, ACME);
    RefusedException refusal = refusal(new SetQuarantine(target("tenants/acme"), told("x"), ACME));
    assertThat(refusal.kind()).isEqualTo(Kind.PERMISSION_DENIED);
    assertThat(refusal.field()).isEqualTo("target");
    for (String foreign : List.of("dpus/a", "tenants/other/networks/n/ports/p")) {
      assertThat(refusal(new SetQuarantine(target(foreign), told("x"), ACME)).kind())
          .as(foreign)
          .isEqualTo(Kind.NOT_FOUND);
    }
  }

  @Test
  void whatTheFleetHasSetATenantNeitherReleasesNorChanges() {
    set(P, ACME, "mine");
    set(P, FLEET, "ours");
    assertThat(refusal(new ReleaseQuarantine(target(P), ACME)).kind())
        .isEqualTo(Kind.PERMISSION_DENIED);
    assertThat(refusal(new SetQuarantine(target(P), told("weaker", "10.0.0.0/8"), ACME)).kind())
        .isEqualTo(Kind.PERMISSION_DENIED);
    assertThat(quarantine(P)).contains(told("ours"));
  }

  @Test
  void whatIsNotThereIsNotCutOff() {
    for (String name : List.of("dpus/x", "tenants/x", P + "x")) {
      assertThat(refusal(new SetQuarantine(target(name), told("x"), FLEET)).kind())
          .as(name)
          .isEqualTo(Kind.NOT_FOUND);
    }
  }

  @Test
  void aQuarantineOfATenantThatIsGoneCanBeReleased() {
    world.tenant("tenants/b");
    set("tenants/b", FLEET, "x");
    world.run(new DeleteTenant(world.request(), new TenantName("b"), ""));
    release("tenants/b", FLEET);
    assertThat(world.image().quarantines()).isEmpty();
  }

  private Set<DpuName> set(
      String name, Optional<TenantName> caller, String reason, String... allowed) {
    return run(new SetQuarantine(target(name), told(reason, allowed), caller));
  }

  private Set<DpuName> release(String name, Optional<TenantName> caller) {
    return run(new ReleaseQuarantine(target(name), caller));
  }

  private Set<DpuName> run(SecurityCommand command) {
    Image before = world.image();
    Entry entry = world.run(world.security(command));
    return AffectedDpus.of(before, world.image(), entry);
  }

  private RefusedException refusal(SecurityCommand command) {
    return world.refusal(world.security(command));
  }

  private Optional<Quarantine> quarantine(String port) {
    DpuName dpu = world.image().port(PortName.parse(port)).orElseThrow().dpu();
    return DpuProjector.project(world.image(), dpu).stream()
        .filter(LocalPortPolicy.class::isInstance)
        .map(LocalPortPolicy.class::cast)
        .filter(policy -> policy.name().equals(PortName.parse(port)))
        .findFirst()
        .orElseThrow()
        .quarantine();
  }

  private StandingQuarantine standing(String name) {
    return Optional.ofNullable(world.image().quarantines().get(target(name))).orElseThrow();
  }

  private static Quarantine told(String reason, String... allowed) {
    return new Quarantine(reason, Arrays.stream(allowed).map(Cidr::parse).toList());
  }

  private static QuarantineTarget target(String name) {
    return QuarantineTarget.parse(name);
  }
}
