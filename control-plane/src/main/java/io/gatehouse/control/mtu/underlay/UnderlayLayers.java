package io.gatehouse.control.mtu.underlay;

import io.gatehouse.model.mtu.UnderlayFrame;
import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayLayerKind;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.ArrayList;
import java.util.List;

/** Compares the layers of one DPU's underlay with what is declared. Pure. */
public final class UnderlayLayers {
  private UnderlayLayers() {}

  /** What differs, for people: layers from the nearest to the switch, then devices of ports. */
  public static List<String> differences(int declaredBytes, UnderlayObservation seen) {
    List<String> texts = new ArrayList<>();
    int read = seen.getMtuBytes();
    for (UnderlayLayer layer : seen.getLayersList()) {
      int bytes = layer.getMtuBytes();
      if (bytes == 0 || layer.getName().equals(seen.getDevice())) {
        continue;
      }
      if (bytes < declaredBytes) {
        texts.add("%s has %d, declared is %d".formatted(named(layer), bytes, declaredBytes));
        continue;
      }
      if (bytes < read) {
        texts.add(
            "%s has %d, %s above it %d".formatted(named(layer), bytes, seen.getDevice(), read));
      }
    }
    for (LldpNeighbour neighbour : seen.getNeighboursList()) {
      int needed = neededFrameBytes(declaredBytes, seen, neighbour.getInterface());
      if (isTooSmall(neighbour, needed)) {
        texts.add(
            "the switch %s takes frames of %d at port %s (%s), %d are needed"
                .formatted(
                    neighbour.getSwitchName(),
                    neighbour.getMaxFrameBytes(),
                    neighbour.getPort(),
                    neighbour.getInterface(),
                    needed));
      }
    }
    representors(texts, seen.getRepresentors());
    return texts;
  }

  private static void representors(List<String> texts, RepresentorMtus representors) {
    int count = representors.getTooSmallCount();
    if (count > 0) {
      texts.add(
          "%s: %s of %s has %d, %d are needed"
              .formatted(
                  count == 1
                      ? "1 device of a port carries less than its network needs"
                      : count + " devices of ports carry less than their networks need",
                  representors.getSmallestDevice(),
                  representors.getSmallestPort(),
                  representors.getSmallestMtuBytes(),
                  representors.getNeededMtuBytes()));
    }
  }

  /** Whether something below the VTEP address takes less than is declared. */
  public static boolean isTooSmall(int declaredBytes, UnderlayObservation seen) {
    return seen.getLayersList().stream()
            .filter(layer -> !layer.getName().equals(seen.getDevice()))
            .anyMatch(layer -> layer.getMtuBytes() != 0 && layer.getMtuBytes() < declaredBytes)
        || seen.getNeighboursList().stream()
            .anyMatch(
                neighbour ->
                    isTooSmall(
                        neighbour,
                        neededFrameBytes(declaredBytes, seen, neighbour.getInterface())));
  }

  private static boolean isTooSmall(LldpNeighbour neighbour, int neededBytes) {
    return neighbour.getMaxFrameBytes() != 0 && neighbour.getMaxFrameBytes() < neededBytes;
  }

  /** Largest frame at any uplink, with the tags that it has there. */
  public static int neededFrameBytes(int declaredBytes, UnderlayObservation seen) {
    int tags =
        seen.getLayersList().stream()
            .filter(layer -> layer.getKind() == UnderlayLayerKind.UNDERLAY_LAYER_KIND_UPLINK)
            .mapToInt(UnderlayLayer::getTagCount)
            .max()
            .orElse(0);
    return UnderlayFrame.neededBytes(declaredBytes, tags);
  }

  private static int neededFrameBytes(int declaredBytes, UnderlayObservation seen, String uplink) {
    int tags =
        seen.getLayersList().stream()
            .filter(layer -> layer.getName().equals(uplink))
            .mapToInt(UnderlayLayer::getTagCount)
            .max()
            .orElse(0);
    return UnderlayFrame.neededBytes(declaredBytes, tags);
  }

  /** The least that a switch at an uplink says it takes; 0: none says. */
  public static int switchFrameBytes(UnderlayObservation seen) {
    return seen.getNeighboursList().stream()
        .mapToInt(LldpNeighbour::getMaxFrameBytes)
        .filter(bytes -> bytes != 0)
        .min()
        .orElse(0);
  }

  private static String named(UnderlayLayer layer) {
    String word =
        switch (layer.getKind()) {
          case UNDERLAY_LAYER_KIND_UPLINK -> "the uplink ";
          case UNDERLAY_LAYER_KIND_SWITCH, UNDERLAY_LAYER_KIND_BRIDGE -> "the bridge ";
          case UNDERLAY_LAYER_KIND_BOND -> "the bond ";
          default -> "the device ";
        };
    return word + layer.getName();
  }
}
