package io.gatehouse.control.publish;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an agent may say of its underlay, as part of its ack. */
class UnderlayBoundsTest {
  private static final String LONG_DEVICE = "x".repeat(65);
  private static final String LONG_NAME = "x".repeat(201);

  private static Ack ack(UnderlayObservation.Builder underlay) {
    return Ack.newBuilder().setUnderlay(underlay).build();
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        of("device", seen().setDevice(LONG_DEVICE)),
        of("mtu_bytes", seen().setMtuBytes(65_536)),
        of("mtu_bytes", seen().setMtuBytes(-1)),
        of("lldp_problem", seen().setLldpProblem("x".repeat(501))),
        of(
            "layers",
            seen().addAllLayers(Collections.nCopies(17, UnderlayLayer.getDefaultInstance()))),
        of(
            "neighbours",
            seen().addAllNeighbours(Collections.nCopies(17, LldpNeighbour.getDefaultInstance()))),
        layer("name", UnderlayLayer.newBuilder().setName(LONG_DEVICE)),
        layer("mtu_bytes", UnderlayLayer.newBuilder().setMtuBytes(65_536)),
        layer("tag_count", UnderlayLayer.newBuilder().setTagCount(17)),
        layer("tag_count", UnderlayLayer.newBuilder().setTagCount(-1)),
        neighbour("interface", LldpNeighbour.newBuilder().setInterface(LONG_DEVICE)),
        neighbour("switch_name", LldpNeighbour.newBuilder().setSwitchName(LONG_NAME)),
        neighbour("port", LldpNeighbour.newBuilder().setPort(LONG_NAME)),
        neighbour("max_frame_bytes", LldpNeighbour.newBuilder().setMaxFrameBytes(65_536)),
        representors("smallest_port", RepresentorMtus.newBuilder().setSmallestPort(LONG_NAME)),
        representors(
            "smallest_device", RepresentorMtus.newBuilder().setSmallestDevice(LONG_DEVICE)),
        representors("smallest_mtu_bytes", RepresentorMtus.newBuilder().setSmallestMtuBytes(-1)),
        representors("needed_mtu_bytes", RepresentorMtus.newBuilder().setNeededMtuBytes(65_536)),
        representors("too_small_count", RepresentorMtus.newBuilder().setTooSmallCount(-1)));
  }

  private static UnderlayObservation.Builder seen() {
    return UnderlayObservation.newBuilder();
  }

  private static Arguments of(String field, UnderlayObservation.Builder seen) {
    return Arguments.of("ack.underlay." + field, ack(seen));
  }

  private static Arguments layer(String field, UnderlayLayer.Builder layer) {
    return of(
        "layers[1]." + field,
        seen().addLayers(UnderlayLayer.getDefaultInstance()).addLayers(layer));
  }

  private static Arguments neighbour(String field, LldpNeighbour.Builder neighbour) {
    return of("neighbours[0]." + field, seen().addNeighbours(neighbour));
  }

  private static Arguments representors(String field, RepresentorMtus.Builder representors) {
    return of("representors." + field, seen().setRepresentors(representors));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsOutOfBoundsIsNamed(String field, Ack ack) {
    assertThatThrownBy(() -> AgentMessageBounds.check(ack, 1))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(field + "=");
  }

  @Test
  void theBoundsThemselvesAreAllowed() {
    UnderlayLayer layer =
        UnderlayLayer.newBuilder()
            .setName("x".repeat(64))
            .setMtuBytes(65_535)
            .setTagCount(16)
            .build();
    LldpNeighbour neighbour =
        LldpNeighbour.newBuilder()
            .setSwitchName("x".repeat(200))
            .setPort("x".repeat(200))
            .setMaxFrameBytes(65_535)
            .build();
    Ack most =
        ack(
            seen()
                .setLldpProblem("x".repeat(500))
                .addAllLayers(Collections.nCopies(16, layer))
                .addAllNeighbours(Collections.nCopies(16, neighbour)));
    assertThatCode(() -> AgentMessageBounds.check(most, 1)).doesNotThrowAnyException();
  }
}
