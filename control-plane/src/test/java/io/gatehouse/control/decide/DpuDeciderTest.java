package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import org.junit.jupiter.api.Test;

class DpuDeciderTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final DpuName A = new DpuName("a");

  private final World world =
      new World()
          .tenant("tenants/acme")
          .dpu("dpus/a", "192.0.2.1", 9_000)
          .dpu("dpus/b", "192.0.2.2", 9_000)
          .network(BLUE, "10.0.0.0/24")
          .port(BLUE + "/ports/p", "dpus/a", 0);

  @Test
  void aTakenVtepIsRefused() {
    RefusedException refusal = world.refusal(world.createDpu("dpus/c", "192.0.2.1", 1_500));
    assertThat(refusal.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(refusal.field()).isEqualTo("vtep_address");
    assertThat(refusal.reason()).isEqualTo("192.0.2.1 is taken by dpus/a");
  }

  @Test
  void aTakenNameIsRefused() {
    RefusedException refusal = world.refusal(world.createDpu("dpus/a", "192.0.2.9", 1_500));
    assertThat(refusal.kind()).isEqualTo(Kind.ALREADY_EXISTS);
  }

  @Test
  void aSmallerUnderlayLowersAutomaticNetworks() {
    world.run(update(new DpuPatch(null, null, 1_500, null)));
    assertThat(mtu()).isEqualTo(1_450);
  }

  @Test
  void aSmallerUnderlayIsRefusedUnderAFixedNetwork() {
    world.run(world.createNetwork("tenants/acme/networks/red", 8_000, "10.1.0.0/24"));
    world.port("tenants/acme/networks/red/ports/p", "dpus/a", 1);
    RefusedException refusal = world.refusal(update(new DpuPatch(null, null, 1_500, null)));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("underlay_mtu_bytes");
    assertThat(refusal.reason()).startsWith("mtu 8000 needs 8050 on the underlay, dpus/a has 1500");
  }

  @Test
  void anotherFamilyIsRefusedWhileItsNetworksHaveTheOldOne() {
    world.port(BLUE + "/ports/q", "dpus/b", 0);
    DpuPatch patch = new DpuPatch(null, IpAddress.parse("2001:db8::1"), null, null);
    RefusedException refusal = world.refusal(update(patch));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.field()).isEqualTo("vtep_address");
    assertThat(refusal.reason()).contains("dpus/a has 2001:db8::1", "dpus/b has 192.0.2.2");
    world.delete(BLUE + "/ports/q").run(update(patch));
    assertThat(mtu()).isEqualTo(8_930);
  }

  @Test
  void aDpuWithPortsStays() {
    RefusedException refusal = world.refusal(new DeleteDpu(world.request(), A, ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).isEqualTo("dpus/a still has ports: " + BLUE + "/ports/p");
    world.delete(BLUE + "/ports/p").run(new DeleteDpu(world.request(), A, ""));
    assertThat(world.image().dpu(A)).isEmpty();
  }

  @Test
  void anAddressThatIsNotRoutedIsRefused() {
    RefusedException refusal = world.refusal(world.createDpu("dpus/c", "127.0.0.1", 1_500));
    assertThat(refusal.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(refusal.field()).isEqualTo("vtep_address");
  }

  private UpdateDpu update(DpuPatch patch) {
    return new UpdateDpu(world.request(), A, patch, "");
  }

  private int mtu() {
    return world.image().network(NetworkName.parse(BLUE)).orElseThrow().effectiveMtuBytes();
  }
}
