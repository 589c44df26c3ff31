package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.TenantName;
import org.junit.jupiter.api.Test;

class TenantDeciderTest {
  private static final TenantName ACME = new TenantName("acme");

  private final World world = new World().tenant("tenants/acme");

  @Test
  void aTakenNameIsRefused() {
    RefusedException refusal =
        world.refusal(world.createTenant("tenants/acme", TenantQuota.DEFAULT));
    assertThat(refusal.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(refusal.reason()).isEqualTo("tenants/acme exists already");
  }

  @Test
  void anInvalidValueIsRefusedWithItsField() {
    RefusedException refusal =
        world.refusal(
            new CreateTenant(
                world.request(), new TenantName("b"), "x".repeat(201), TenantQuota.DEFAULT, false));
    assertThat(refusal.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(refusal.field()).isEqualTo("display_name");
  }

  @Test
  void anUpdateChangesWhatThePatchNames() {
    world.run(update(new TenantPatch(null, 3, null, null, true), ""));
    Tenant tenant = world.image().tenant(ACME).orElseThrow();
    assertThat(tenant.quota()).isEqualTo(new TenantQuota(3, 1_000, 100));
    assertThat(tenant.suspended()).isTrue();
    assertThat(tenant.updatedAt()).isAfter(tenant.createdAt());
  }

  @Test
  void anUpdateWithAnOldEtagIsAborted() {
    String etag = Etag.of(world.image().tenant(ACME).orElseThrow());
    TenantPatch patch = new TenantPatch("new", null, null, null, null);
    world.run(update(patch, etag));
    RefusedException refusal = world.refusal(update(patch, etag));
    assertThat(refusal.kind()).isEqualTo(Kind.ABORTED);
    assertThat(refusal.field()).isEqualTo("etag");
  }

  @Test
  void aQuotaBelowWhatIsOwnedIsRefused() {
    world.network("tenants/acme/networks/a", "10.0.0.0/24");
    RefusedException refusal =
        world.refusal(update(new TenantPatch(null, 0, null, null, null), ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("quota.max_networks");
    assertThat(refusal.reason()).isEqualTo("tenants/acme has 1 networks, more than 0");
  }

  @Test
  void aTenantWithNetworksStaysAndTheFirstFiveAreNamed() {
    for (int i = 0; i < 7; i++) {
      world.network("tenants/acme/networks/n" + i, "10." + i + ".0.0/24");
    }
    RefusedException refusal = world.refusal(new DeleteTenant(world.request(), ACME, ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason())
        .startsWith("tenants/acme still has networks: tenants/acme/networks/n0, ")
        .endsWith("tenants/acme/networks/n4 and 2 more");
  }

  @Test
  void anUnknownTenantIsNotFound() {
    RefusedException refusal =
        world.refusal(new DeleteTenant(world.request(), new TenantName("nobody"), ""));
    assertThat(refusal.kind()).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void aDeletedTenantIsGone() {
    world.run(new DeleteTenant(world.request(), ACME, ""));
    assertThat(world.image().tenants()).isEmpty();
  }

  private UpdateTenant update(TenantPatch patch, String etag) {
    return new UpdateTenant(world.request(), ACME, patch, etag);
  }
}
