package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.image.RestingVni;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Vni;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VniAllocatorTest {
  private static final DpuName A = new DpuName("a");
  private static final DpuName B = new DpuName("b");

  private final World world =
      new World()
          .tenant("tenants/acme")
          .tenant("tenants/other")
          .dpu("dpus/a", "192.0.2.1", 1_500)
          .dpu("dpus/b", "192.0.2.2", 1_500);

  @Test
  void theSearchGoesOnAfterTheLastOneAndWraps() {
    world.run(world.createNetwork(name(1), new Vni(Vni.MAX - 1), "10.1.0.0/24"));
    world.network(name(2), "10.2.0.0/24").network(name(3), "10.3.0.0/24");
    assertThat(vni(2)).isEqualTo(Vni.MAX);
    assertThat(vni(3)).isEqualTo(1);
  }

  @Test
  void takenAndRestingOnesAreSkipped() {
    world.run(world.createNetwork(name(1), new Vni(2), "10.1.0.0/24"));
    world.run(world.createNetwork(name(2), new Vni(3), "10.2.0.0/24"));
    remove(2);
    world.run(world.createNetwork(name(3), new Vni(1), "10.3.0.0/24"));
    world.network(name(4), "10.4.0.0/24");
    assertThat(vni(4)).isEqualTo(4);
  }

  @Test
  void aTakenVniIsRefusedAndAnotherTenantIsNotNamed() {
    world.run(world.createNetwork(name(1), new Vni(7), "10.1.0.0/24"));
    RefusedException own = world.refusal(world.createNetwork(name(2), new Vni(7), "10.2.0.0/24"));
    assertThat(own.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(own.field()).isEqualTo("vni");
    assertThat(own.reason()).isEqualTo("7 is taken by " + name(1));
    RefusedException foreign =
        world.refusal(world.createNetwork("tenants/other/networks/n", new Vni(7), "10.2.0.0/24"));
    assertThat(foreign.reason()).isEqualTo("7 is taken by a network of another tenant");
  }

  @Test
  void aRestingVniIsRefusedWithTheReason() {
    carriedByBothThenRemoved();
    RefusedException refusal =
        world.refusal(world.createNetwork(name(2), new Vni(7), "10.2.0.0/24"));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason())
        .contains("7 rests", "revision " + world.image().revision(), "dpus/a, dpus/b");
  }

  @Test
  void everyDpuThatEverCarriedItHasToConfirm() {
    long removed = carriedByBothThenRemoved();
    RestingVni resting = world.image().restingVnis().get(new Vni(7));
    assertThat(resting).isEqualTo(new RestingVni(new Vni(7), removed, Set.of(A, B)));

    RefusedException refusal = world.refusal(release(Map.of(A, removed)));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).contains("dpus/b").doesNotContain("dpus/a");

    world.run(release(Map.of(A, removed, B, removed)));
    assertThat(world.image().restingVnis()).isEmpty();
    world.run(world.createNetwork(name(2), new Vni(7), "10.2.0.0/24"));
  }

  @Test
  void aDpuThatHasAppliedAllThatConcernsItHasConfirmed() {
    carriedByBothThenRemoved();
    world.run(
        release(Map.of(A, world.image().desiredRevision(A), B, world.image().desiredRevision(B))));
    assertThat(world.image().restingVnis()).isEmpty();
  }

  @Test
  void aDpuThatIsGoneNeedNotConfirm() {
    long removed = carriedByBothThenRemoved();
    world.run(new DeleteDpu(world.request(), B, ""));
    world.run(release(Map.of(A, removed)));
    assertThat(world.image().restingVnis()).isEmpty();
  }

  @Test
  void aDpuThatCameBackUnderItsNameHasToConfirm() {
    long removed = carriedByBothThenRemoved();
    world.run(new DeleteDpu(world.request(), B, ""));
    world.dpu("dpus/b", "192.0.2.2", 1_500);
    assertThat(world.refusal(release(Map.of(A, removed))).reason()).contains("dpus/b");
  }

  @Test
  void aVniThatDoesNotRestCannotBeReleased() {
    world.run(world.createNetwork(name(1), new Vni(7), "10.1.0.0/24"));
    assertThat(world.refusal(release(Map.of())).kind()).isEqualTo(Kind.NOT_FOUND);
  }

  /** A port moves from one DPU to the other by being made again. */
  private long carriedByBothThenRemoved() {
    world.run(world.createNetwork(name(1), new Vni(7), "10.1.0.0/24"));
    world.port(name(1) + "/ports/p", "dpus/a", 0).delete(name(1) + "/ports/p");
    world.port(name(1) + "/ports/p", "dpus/b", 0).delete(name(1) + "/ports/p");
    remove(1);
    return world.image().revision();
  }

  private ReleaseVni release(Map<DpuName, Long> acked) {
    return new ReleaseVni(world.request(), new Vni(7), acked);
  }

  private void remove(int network) {
    world.run(new DeleteNetwork(world.request(), NetworkName.parse(name(network)), ""));
  }

  private int vni(int network) {
    return world.image().network(NetworkName.parse(name(network))).orElseThrow().vni().value();
  }

  private static String name(int network) {
    return "tenants/acme/networks/n" + network;
  }
}
