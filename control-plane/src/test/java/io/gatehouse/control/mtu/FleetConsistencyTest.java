package io.gatehouse.control.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayLayerKind;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One table of the fleet with what differs. */
class FleetConsistencyTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String RED = "tenants/acme/networks/red";

  private final Map<DpuName, Integer> read = new HashMap<>();
  private World world = new World();

  @BeforeEach
  void aFleet() {
    world = new World().tenant("tenants/acme");
    world.dpu("dpus/a", "192.0.2.1", 9_000).dpu("dpus/b", "192.0.2.2", 4_200);
    world.dpu("dpus/c", "192.0.2.3", 4_200).dpu("dpus/d", "192.0.2.4", 1_500);
    world.network(BLUE, "10.0.0.0/24").network(RED, "10.0.1.0/24");
    for (String dpu : new String[] {"a", "b", "c"}) {
      world.port(BLUE + "/ports/" + dpu, "dpus/" + dpu, 0);
    }
    world.port(RED + "/ports/d", "dpus/d", 0).settle(BLUE);
    for (Dpu dpu : world.image().dpus().values()) {
      read.put(dpu.name(), dpu.underlayMtuBytes());
    }
  }

  private DpuMtu of(String name, UnderlayObservation seen) {
    Dpu dpu = world.image().dpu(new DpuName(name)).orElseThrow();
    return DpuMtus.withLayers(
        world.image(),
        dpu,
        asked -> new MtuChange.Facts(1, read.getOrDefault(asked, 0)),
        Optional.of(seen).filter(known -> known.getSerializedSize() > 0));
  }

  private DpuMtu of(String name) {
    return of(name, UnderlayObservation.getDefaultInstance());
  }

  private static UnderlayObservation underlay(int mtuBytes, int uplinkMtuBytes) {
    return UnderlayObservation.newBuilder()
        .setDevice("br-phy")
        .setMtuBytes(mtuBytes)
        .addLayers(
            UnderlayLayer.newBuilder()
                .setName("p0")
                .setKind(UnderlayLayerKind.UNDERLAY_LAYER_KIND_UPLINK)
                .setMtuBytes(uplinkMtuBytes))
        .build();
  }

  @Test
  void peersWithAnotherUnderlayAreNamedOnceForEachSize() {
    assertThat(of("a").getDifferencesList())
        .containsExactly(
            "its underlay has 9000, dpus/b and 1 more of its networks 4200",
            "RDMA drops from 4096 to 2048 bytes of payload in tenants/acme/networks/blue: 4096"
                + " needs an mtu of 4192, 4242 on the underlay");
    assertThat(of("b").getDifferencesList())
        .hasSize(2)
        .startsWith("its underlay has 4200, dpus/a of its networks 9000");
    assertThat(of("d").getDifferencesList()).as("alone in its network").isEmpty();
  }

  @Test
  void whatIsReadCountsBeforeWhatIsDeclared() {
    read.put(new DpuName("b"), 9_000);
    read.put(new DpuName("c"), 0);
    assertThat(of("a").getDifferencesList())
        .contains("its underlay has 9000, dpus/c of its networks 4200");
    assertThat(of("b").getDifferencesList()).contains("its interface has 9000, declared is 4200");
    assertThat(of("c").getDifferencesList()).contains("the MTU of its underlay is not known");
  }

  @Test
  void layersAndTheirDeviceAreNamed() {
    read.put(new DpuName("d"), 1_400);
    DpuMtu shown = of("d", underlay(1_400, 1_300));
    assertThat(shown.getDifferencesList())
        .containsExactly(
            "br-phy has 1400, declared is 1500", "the uplink p0 has 1300, declared is 1500");
    assertThat(shown.getNeededFrameBytes()).isEqualTo(1_518);
    assertThat(shown.getUnderlay().getDevice()).isEqualTo("br-phy");
    assertThat(of("d").hasUnderlay()).isFalse();
  }

  @Test
  void theStepOfRdmaIsShownWithWhatTheUnderlayWouldGive() {
    DpuMtu a = of("a");
    assertThat(a.getUnderlayRdmaMtuBytes()).isEqualTo(4_096);
    assertThat(a.getSmallestRdmaMtuBytes()).isEqualTo(2_048);
    assertThat(a.getRdmaLoweredNetworkCount()).isEqualTo(1);
    DpuMtu d = of("d");
    assertThat(d.getUnderlayRdmaMtuBytes()).isEqualTo(1_024);
    assertThat(d.getSmallestRdmaMtuBytes()).isEqualTo(1_024);
    assertThat(d.getRdmaLoweredNetworkCount()).isZero();
    world.delete(RED + "/ports/d");
    assertThat(of("d").getSmallestRdmaMtuBytes()).as("no network").isZero();
  }
}
