package io.gatehouse.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.underlay.Neighbours;
import io.gatehouse.agent.state.underlay.Neighbours.Neighbour;
import io.gatehouse.agent.state.underlay.Representors;
import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.agent.state.underlay.UnderlayStack.Kind;
import io.gatehouse.agent.state.underlay.UnderlayStack.Layer;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.LldpState;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayLayerKind;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Health and underlay meet in one ack. */
class AckDeskTest {
  private static final UnderlayStack STACK =
      new UnderlayStack(
          "br-phy",
          1_500,
          List.of(
              new Layer("br-phy", Kind.SWITCH, 1_500, 0), new Layer("p0", Kind.UPLINK, 9_000, 1)),
          Neighbours.of(List.of(new Neighbour("p0", "leaf1", "Ethernet1/7", 9_216))),
          new Representors("tenants/a/networks/n/ports/p", "rep0", 1_400, 1_450, 2));

  private final List<Ack> sent = new ArrayList<>();
  private final AckDesk desk = new AckDesk(sent::add);

  private static Health health(long applied) {
    return new Health(applied, applied, List.of(), List.of(), List.of(), Map.of(), 1_500, 0);
  }

  @Test
  void nothingIsSaidBeforeThereIsHealth() {
    desk.underlay(STACK);
    assertThat(sent).isEmpty();
    desk.health(health(1));
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).hasUnderlay()).isTrue();
  }

  @Test
  void whateverIsNewGoesWithWhatIsKnownOfTheOther() {
    desk.health(health(1));
    assertThat(sent.get(0).hasUnderlay()).as("not looked at yet").isFalse();
    desk.underlay(STACK);
    desk.health(health(2));
    assertThat(sent).extracting(Ack::getAppliedRevision).containsExactly(1L, 1L, 2L);
    assertThat(sent.get(2).getUnderlay()).isEqualTo(sent.get(1).getUnderlay());
  }

  @Test
  void everythingIsSaid() {
    UnderlayObservation said = UnderlayReporter.observation(STACK);
    assertThat(said.getDevice()).isEqualTo("br-phy");
    assertThat(said.getMtuBytes()).isEqualTo(1_500);
    assertThat(said.getLayersList())
        .extracting(UnderlayLayer::getName)
        .containsExactly("br-phy", "p0");
    assertThat(said.getLayers(1).getTagCount()).isEqualTo(1);
    assertThat(said.getLayers(1).getMtuBytes()).isEqualTo(9_000);
    assertThat(said.getLldp()).isEqualTo(LldpState.LLDP_STATE_KNOWN);
    assertThat(said.getNeighbours(0).getMaxFrameBytes()).isEqualTo(9_216);
    assertThat(said.getNeighbours(0).getPort()).isEqualTo("Ethernet1/7");
    assertThat(said.getRepresentors().getTooSmallCount()).isEqualTo(2);
    assertThat(said.getRepresentors().getNeededMtuBytes()).isEqualTo(1_450);
  }

  @Test
  void everyKindHasItsOwnWord() {
    for (Kind kind : Kind.values()) {
      UnderlayObservation said =
          UnderlayReporter.observation(stack(List.of(new Layer("x", kind, 1, 0)), ""));
      UnderlayLayerKind word = said.getLayers(0).getKind();
      assertThat(word.name()).isEqualTo("UNDERLAY_LAYER_KIND_" + kind.name());
    }
  }

  @Test
  void aStrangersWordsHaveBounds() {
    Layer layer = new Layer("d".repeat(100), Kind.UPLINK, 100_000, 40);
    UnderlayObservation said =
        UnderlayReporter.observation(stack(Collections.nCopies(99, layer), "x".repeat(9_999)));
    assertThat(said.getLayersCount()).isEqualTo(16);
    assertThat(said.getLayers(0).getName()).hasSize(64);
    assertThat(said.getLayers(0).getMtuBytes()).isEqualTo(65_535);
    assertThat(said.getLayers(0).getTagCount()).isEqualTo(16);
    assertThat(said.getLldp()).isEqualTo(LldpState.LLDP_STATE_FAILED);
    assertThat(said.getLldpProblem()).hasSize(500);
  }

  private static UnderlayStack stack(List<Layer> layers, String problem) {
    return new UnderlayStack("p0", 1_500, layers, Neighbours.failed(problem), Representors.NONE);
  }
}
