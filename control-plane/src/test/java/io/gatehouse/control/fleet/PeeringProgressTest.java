package io.gatehouse.control.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.ReleaseVni;
import io.gatehouse.control.decide.peering.PeeringCommand.DeletePeering;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.net.Vni;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who has to confirm the start and the end of a peering: blue is on a, red on b. */
final class PeeringProgressTest {
  private static final DpuName A = new DpuName("a");
  private static final DpuName B = new DpuName("b");
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String RED = "tenants/globex/networks/red";

  private final World world =
      new World()
          .tenant("tenants/acme")
          .tenant("tenants/globex")
          .dpu("dpus/a", "192.0.2.1", 1_500)
          .dpu("dpus/b", "192.0.2.2", 1_500)
          .dpu("dpus/c", "192.0.2.3", 1_500)
          .network(BLUE, "10.1.0.0/16")
          .network(RED, "10.2.0.0/16")
          .port(BLUE + "/ports/p", "dpus/a", 0)
          .port(RED + "/ports/p", "dpus/b", 0)
          .peering(BLUE + "/peerings/x", RED);
  private final ProgressBoard board = new ProgressBoard(world.image());

  @BeforeEach
  void allAreCurrent() {
    world.image().dpus().keySet().forEach(dpu -> board.reported(dpu, world.image().revision()));
  }

  @Test
  void bothNetworksDpusConfirmTheStartAndTheEnd() {
    commit(() -> world.peering(RED + "/peerings/y", BLUE));
    confirmedByBoth();
    commit(() -> world.run(world.peering(end(BLUE + "/peerings/x"))));
    confirmedByBoth();
  }

  /** To a tenant its own DPUs are what it waits for; the fleet waits for both. */
  private void confirmedByBoth() {
    long revision = world.image().revision();
    assertThat(mark("").laggards()).containsExactly(A, B);
    board.reported(A, revision);
    assertThat(mark("").laggards()).containsExactly(B);
    assertThat(mark(BLUE).laggards()).isEmpty();
    assertThat(mark(BLUE).dpuCount()).isEqualTo(1);
    assertThat(mark(RED).laggards()).containsExactly(B);
    board.reported(B, revision);
    assertThat(mark("").applied()).isEqualTo(revision);
  }

  @Test
  void theVniOfThePeerIsNotFreeBeforeThisNetworksDpuHasConfirmedTheEnd() {
    Vni vni = world.image().network(NetworkName.parse(RED)).orElseThrow().vni();
    world.peering(RED + "/peerings/y", BLUE);
    long peered = world.image().revision();
    world.run(world.peering(end(RED + "/peerings/y")));
    long ended = world.image().revision();
    world.delete(RED + "/ports/p");
    world.run(new DeleteNetwork(world.request(), NetworkName.parse(RED), ""));
    long now = world.image().revision();
    assertThat(world.refusal(release(vni, Map.of(A, peered, B, now))).reason())
        .contains("dpus/a")
        .doesNotContain("dpus/b");
    assertThat(world.refusal(release(vni, Map.of(A, ended, B, now)))).isNull();
  }

  private ReleaseVni release(Vni vni, Map<DpuName, Long> acked) {
    return new ReleaseVni(world.request(), vni, acked);
  }

  private static DeletePeering end(String name) {
    return new DeletePeering(PeeringName.parse(name), "");
  }

  private LowWater mark(String scope) {
    return board.lowWater(Scope.parse(scope)).orElseThrow();
  }

  private void commit(Runnable change) {
    Image before = world.image();
    change.run();
    Entry entry = world.entries().get(world.entries().size() - 1);
    board.committed(
        new Committed(entry, before, world.image()), AffectedDpus.of(before, world.image(), entry));
  }
}
