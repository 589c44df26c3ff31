package io.gatehouse.control.publish.bounds;

import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayObservation;

/** The bounds of what an agent says of its underlay, as underlay.proto states them. Pure. */
public final class UnderlayBounds {
  private static final int MAX_ELEMENTS = 16;

  private static final int MAX_DEVICE_LENGTH = 64;
  private static final int MAX_NAME_LENGTH = 200;
  private static final int MAX_REASON_LENGTH = 500;
  private static final int MAX_MTU_BYTES = 65_535;
  private static final String PATH = "ack.underlay.";

  private UnderlayBounds() {}

  public static void check(UnderlayObservation underlay) {
    device(PATH + "device", underlay.getDevice());
    bytes(PATH + "mtu_bytes", underlay.getMtuBytes());
    FieldBounds.text(PATH + "lldp_problem", underlay.getLldpProblem(), MAX_REASON_LENGTH);
    FieldBounds.count(PATH + "layers", underlay.getLayersCount(), MAX_ELEMENTS);
    for (int i = 0; i < underlay.getLayersCount(); i++) {
      layer(PATH + "layers[" + i + "].", underlay.getLayers(i));
    }
    FieldBounds.count(PATH + "neighbours", underlay.getNeighboursCount(), MAX_ELEMENTS);
    for (int i = 0; i < underlay.getNeighboursCount(); i++) {
      neighbour(PATH + "neighbours[" + i + "].", underlay.getNeighbours(i));
    }
    representors(PATH + "representors.", underlay.getRepresentors());
  }

  private static void layer(String path, UnderlayLayer layer) {
    device(path + "name", layer.getName());
    bytes(path + "mtu_bytes", layer.getMtuBytes());
    // Each layer can add one at most.
    FieldBounds.range(
        path + "tag_count", Integer.toUnsignedLong(layer.getTagCount()), 0, MAX_ELEMENTS);
  }

  private static void neighbour(String path, LldpNeighbour neighbour) {
    device(path + "interface", neighbour.getInterface());
    name(path + "switch_name", neighbour.getSwitchName());
    name(path + "port", neighbour.getPort());
    bytes(path + "max_frame_bytes", neighbour.getMaxFrameBytes());
  }

  private static void representors(String path, RepresentorMtus representors) {
    name(path + "smallest_port", representors.getSmallestPort());
    device(path + "smallest_device", representors.getSmallestDevice());
    bytes(path + "smallest_mtu_bytes", representors.getSmallestMtuBytes());
    bytes(path + "needed_mtu_bytes", representors.getNeededMtuBytes());
    FieldBounds.range(
        path + "too_small_count", representors.getTooSmallCount(), 0, Integer.MAX_VALUE);
  }

  private static void device(String field, String text) {
    FieldBounds.text(field, text, MAX_DEVICE_LENGTH);
  }

  private static void name(String field, String text) {
    FieldBounds.text(field, text, MAX_NAME_LENGTH);
  }

  private static void bytes(String field, int bytes) {
    FieldBounds.range(field, Integer.toUnsignedLong(bytes), 0, MAX_MTU_BYTES);
  }
}
