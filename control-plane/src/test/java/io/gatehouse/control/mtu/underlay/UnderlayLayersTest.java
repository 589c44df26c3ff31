package io.gatehouse.control.mtu.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayLayerKind;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Layers, switch and devices of ports against what is declared: 9000. */
class UnderlayLayersTest {
  private static final int DECLARED = 9_000;

  private static UnderlayObservation.Builder seen(int mtuBytes) {
    return UnderlayObservation.newBuilder().setDevice("br-phy").setMtuBytes(mtuBytes);
  }

  private static UnderlayLayer layer(String name, String kind, int mtuBytes, int tags) {
    return UnderlayLayer.newBuilder()
        .setName(name)
        .setKind(UnderlayLayerKind.valueOf("UNDERLAY_LAYER_KIND_" + kind))
        .setMtuBytes(mtuBytes)
        .setTagCount(tags)
        .build();
  }

  private static LldpNeighbour neighbour(String device, int maxFrameBytes) {
    return LldpNeighbour.newBuilder()
        .setInterface(device)
        .setSwitchName("leaf1")
        .setPort("Ethernet1/7")
        .setMaxFrameBytes(maxFrameBytes)
        .build();
  }

  static Stream<Arguments> underlays() {
    UnderlayLayer p0 = layer("p0", "UPLINK", 9_216, 0);
    return Stream.of(
        Arguments.of("nothing is known", UnderlayObservation.newBuilder(), ""),
        Arguments.of(
            "all as it should be",
            seen(9_000).addLayers(layer("br-phy", "SWITCH", 9_000, 0)).addLayers(p0),
            ""),
        Arguments.of(
            "the uplink",
            seen(9_000).addLayers(layer("p0", "UPLINK", 1_500, 0)),
            "the uplink p0 has 1500, declared is 9000"),
        Arguments.of(
            "a bridge beside the way",
            seen(9_000).addLayers(layer("br-x", "SWITCH", 8_999, 0)).addLayers(p0),
            "the bridge br-x has 8999, declared is 9000"),
        Arguments.of(
            "a bond",
            seen(9_000).addLayers(layer("b", "BOND", 1, 0)),
            "the bond b has 1, declared is 9000"),
        Arguments.of(
            "a device that is not known", seen(9_000).addLayers(layer("d", "UPLINK", 0, 0)), ""),
        Arguments.of(
            "the device with the address is told elsewhere",
            seen(1_500).addLayers(layer("br-phy", "SWITCH", 1_500, 0)).addLayers(p0),
            ""),
        Arguments.of(
            "more above than below, and enough",
            seen(9_500).addLayers(p0),
            "the uplink p0 has 9216, br-phy above it 9500"),
        Arguments.of(
            "a switch that says nothing",
            seen(9_000).addLayers(p0).addNeighbours(neighbour("p0", 0)),
            ""),
        Arguments.of(
            "a frame that just fits",
            seen(9_000).addLayers(p0).addNeighbours(neighbour("p0", 9_018)),
            ""),
        Arguments.of(
            "a frame without room for the check sequence",
            seen(9_000).addLayers(p0).addNeighbours(neighbour("p0", 9_014)),
            "the switch leaf1 takes frames of 9014 at port Ethernet1/7 (p0), 9018 are needed"),
        Arguments.of(
            "a frame without room for the tag",
            seen(9_000)
                .addLayers(layer("p0", "UPLINK", 9_216, 1))
                .addNeighbours(neighbour("p0", 9_018)),
            "the switch leaf1 takes frames of 9018 at port Ethernet1/7 (p0), 9022 are needed"),
        Arguments.of(
            "a device of a port",
            seen(9_000).setRepresentors(representors(1)),
            "1 device of a port carries less than its network needs: rep0 of p has 1500, 8950 are"
                + " needed"),
        Arguments.of(
            "devices of ports",
            seen(9_000).setRepresentors(representors(3)),
            "3 devices of ports carry less than their networks need: rep0 of p has 1500, 8950 are"
                + " needed"));
  }

  private static RepresentorMtus representors(int tooSmall) {
    return RepresentorMtus.newBuilder()
        .setSmallestDevice("rep0")
        .setSmallestPort("p")
        .setSmallestMtuBytes(1_500)
        .setNeededMtuBytes(8_950)
        .setTooSmallCount(tooSmall)
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("underlays")
  void whatDiffersIsSaidWithBothNumbers(
      String what, UnderlayObservation.Builder seen, String text) {
    List<String> differences = UnderlayLayers.differences(DECLARED, seen.build());
    assertThat(differences).as(what).isEqualTo(text.isEmpty() ? List.of() : List.of(text));
    // The alarm is for what loses packets of the declared size on the way.
    boolean alarm = text.contains("declared is") || text.startsWith("the switch");
    assertThat(UnderlayLayers.isTooSmall(DECLARED, seen.build())).as(what).isEqualTo(alarm);
  }

  @Test
  void theFramesOfAllUplinksCount() {
    UnderlayObservation two =
        seen(9_000)
            .addLayers(layer("p0", "UPLINK", 9_000, 0))
            .addLayers(layer("p1", "UPLINK", 9_000, 1))
            .addNeighbours(neighbour("p0", 9_216))
            .addNeighbours(neighbour("p1", 1_518))
            .addNeighbours(neighbour("p1", 0))
            .build();
    assertThat(UnderlayLayers.neededFrameBytes(DECLARED, two)).isEqualTo(9_022);
    assertThat(UnderlayLayers.switchFrameBytes(two)).isEqualTo(1_518);
    assertThat(UnderlayLayers.switchFrameBytes(UnderlayObservation.getDefaultInstance())).isZero();
    assertThat(UnderlayLayers.neededFrameBytes(DECLARED, UnderlayObservation.getDefaultInstance()))
        .isEqualTo(9_018);
  }
}
