package io.gatehouse.agent.report;

import io.gatehouse.agent.state.underlay.Neighbours;
import io.gatehouse.agent.state.underlay.Neighbours.Neighbour;
import io.gatehouse.agent.state.underlay.Representors;
import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.agent.state.underlay.UnderlayStack.Layer;
import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.LldpState;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayLayerKind;
import io.gatehouse.proto.v1.UnderlayObservation;

/** What carries the tunnels, as a message within its bounds. */
final class UnderlayReporter {
  private static final int MAX_ELEMENTS = 16;
  private static final int MAX_DEVICE = 64;
  private static final int MAX_NAME = 200;
  private static final int MAX_MTU_BYTES = 65_535;

  private UnderlayReporter() {}

  static UnderlayObservation observation(UnderlayStack stack) {
    Neighbours neighbours = stack.neighbours();
    UnderlayObservation.Builder message =
        UnderlayObservation.newBuilder()
            .setDevice(AckReporter.cut(stack.device(), MAX_DEVICE))
            .setMtuBytes(bytes(stack.mtuBytes()))
            .setLldp(state(neighbours.knowledge()))
            .setLldpProblem(AckReporter.cut(neighbours.problem()))
            .setRepresentors(representors(stack.representors()));
    stack.layers().stream().limit(MAX_ELEMENTS).forEach(layer -> message.addLayers(layer(layer)));
    neighbours.known().stream()
        .limit(MAX_ELEMENTS)
        .forEach(neighbour -> message.addNeighbours(neighbour(neighbour)));
    return message.build();
  }

  private static LldpState state(Neighbours.Knowledge knowledge) {
    return switch (knowledge) {
      case KNOWN -> LldpState.LLDP_STATE_KNOWN;
      case ABSENT -> LldpState.LLDP_STATE_ABSENT;
      case FAILED -> LldpState.LLDP_STATE_FAILED;
    };
  }

  private static UnderlayLayer layer(Layer layer) {
    UnderlayLayerKind kind =
        switch (layer.kind()) {
          case UPLINK -> UnderlayLayerKind.UNDERLAY_LAYER_KIND_UPLINK;
          case SWITCH -> UnderlayLayerKind.UNDERLAY_LAYER_KIND_SWITCH;
          case BRIDGE -> UnderlayLayerKind.UNDERLAY_LAYER_KIND_BRIDGE;
          case BOND -> UnderlayLayerKind.UNDERLAY_LAYER_KIND_BOND;
          case LOWER -> UnderlayLayerKind.UNDERLAY_LAYER_KIND_LOWER;
        };
    return UnderlayLayer.newBuilder()
        .setName(AckReporter.cut(layer.name(), MAX_DEVICE))
        .setKind(kind)
        .setMtuBytes(bytes(layer.mtuBytes()))
        .setTagCount(Math.min(layer.tagCount(), MAX_ELEMENTS))
        .build();
  }

  private static LldpNeighbour neighbour(Neighbour neighbour) {
    return LldpNeighbour.newBuilder()
        .setInterface(AckReporter.cut(neighbour.device(), MAX_DEVICE))
        .setSwitchName(AckReporter.cut(neighbour.switchName(), MAX_NAME))
        .setPort(AckReporter.cut(neighbour.port(), MAX_NAME))
        .setMaxFrameBytes(neighbour.maxFrameBytes())
        .build();
  }

  private static RepresentorMtus representors(Representors representors) {
    return RepresentorMtus.newBuilder()
        .setSmallestPort(AckReporter.cut(representors.port(), MAX_NAME))
        .setSmallestDevice(AckReporter.cut(representors.device(), MAX_DEVICE))
        .setSmallestMtuBytes(bytes(representors.mtuBytes()))
        .setNeededMtuBytes(representors.neededBytes())
        .setTooSmallCount(representors.tooSmallCount())
        .build();
  }

  /** The loopback device has 65536, which no packet can have. */
  private static int bytes(int mtuBytes) {
    return Math.max(0, Math.min(mtuBytes, MAX_MTU_BYTES));
  }
}
