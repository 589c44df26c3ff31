package io.gatehouse.control.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes end when the last DPU has confirmed, and not before. */
class MtuSettlerTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final DpuName A = new DpuName("a");
  private static final DpuName B = new DpuName("b");

  private final Map<DpuName, MtuChange.Facts> facts = new HashMap<>();
  private WorldSequencer sequencer = new WorldSequencer(new World());
  private MtuSettler settler = settler();

  private MtuSettler settler() {
    return new MtuSettler(
        sequencer, dpu -> facts.getOrDefault(dpu, MtuChange.Facts.NONE), () -> World.START);
  }

  @BeforeEach
  void aNetworkWhoseSmallestDpuLeaves() {
    World world = new World().tenant("tenants/acme");
    world.dpu("dpus/a", "192.0.2.1", 9_000).dpu("dpus/b", "192.0.2.2", 9_000);
    world.dpu("dpus/c", "192.0.2.3", 1_500).network(BLUE, "10.0.0.0/24");
    world.port(BLUE + "/ports/a", "dpus/a", 0).port(BLUE + "/ports/b", "dpus/b", 0);
    world.port(BLUE + "/ports/c", "dpus/c", 0).settle(BLUE).delete(BLUE + "/ports/c");
    sequencer = new WorldSequencer(world);
    settler = settler();
  }

  private Network blue() {
    return sequencer.image().network(NetworkName.parse(BLUE)).orElseThrow();
  }

  private int look() {
    settler.look();
    return sequencer.decide();
  }

  @Test
  void theLastConfirmationRaises() {
    long revision = sequencer.image().revision();
    assertThat(look()).isZero();
    assertThat(settler.changingCount()).isEqualTo(1);
    facts.put(A, new MtuChange.Facts(revision, 9_000));
    facts.put(B, new MtuChange.Facts(revision - 1, 9_000));
    assertThat(look()).isZero();
    facts.put(B, new MtuChange.Facts(revision, 8_999));
    assertThat(look()).as("its underlay is not what was declared").isZero();
    assertThat(blue().effectiveMtuBytes()).isEqualTo(1_450);
    facts.put(B, new MtuChange.Facts(revision, 9_000));
    assertThat(look()).isEqualTo(1);
    assertThat(blue().effectiveMtuBytes()).isEqualTo(8_950);
    assertThat(look()).isZero();
    assertThat(settler.changingCount()).isZero();
  }

  @Test
  void aChangeIsSubmittedOnceAtATime() {
    facts.putAll(sequencer.world.allConfirmed());
    settler.look();
    settler.look();
    assertThat(sequencer.decide()).isEqualTo(1);
  }

  /** Another control plane was first, or a DPU came in between. */
  @Test
  void aRefusalIsLookedAtAgain() {
    facts.putAll(sequencer.world.allConfirmed());
    settler.look();
    sequencer.world.port(BLUE + "/ports/d", "dpus/c", 1);
    assertThat(sequencer.decide()).isEqualTo(1);
    assertThat(blue().isMtuChanging()).as("refused: the newest is not confirmed").isTrue();
    facts.putAll(sequencer.world.allConfirmed());
    assertThat(look()).isEqualTo(1);
    assertThat(blue().isMtuChanging()).isFalse();
  }
}
