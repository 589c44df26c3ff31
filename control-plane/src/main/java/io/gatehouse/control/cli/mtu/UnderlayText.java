package io.gatehouse.control.cli.mtu;

import io.gatehouse.control.cli.output.FieldList;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.ArrayList;
import java.util.List;

/** Underlays of DPUs for people: the fleet in one table, or one DPU with each layer. */
final class UnderlayText {
  private UnderlayText() {}

  /** The fleet, a row each, and below it what differs. */
  static String fleet(List<DpuMtu> dpus) {
    Table table =
        new Table(
            List.of(
                "DPU",
                "DECLARED",
                "REPORTED",
                "SWITCH",
                "FITS",
                "NETWORKS",
                "LIMITS",
                "LOSE",
                "RDMA",
                "DIFFERS"));
    List<String> differences = new ArrayList<>();
    for (DpuMtu dpu : dpus) {
      String name = MtuText.shortDpu(dpu.getDpu());
      table.row(
          List.of(
              name,
              Integer.toString(dpu.getDeclaredUnderlayMtuBytes()),
              MtuText.number(dpu.getReportedUnderlayMtuBytes()),
              frame(dpu),
              Integer.toString(dpu.getLargestMtuBytes()),
              MtuText.number(dpu.getNetworkCount()),
              names(dpu.getLimitedNetworksList(), dpu.getLimitedNetworkCount()),
              names(dpu.getBrokenNetworksList(), dpu.getBrokenNetworkCount()),
              rdma(dpu),
              MtuText.number(dpu.getDifferencesCount())));
      dpu.getDifferencesList().forEach(text -> differences.add(name + ": " + text));
    }
    StringBuilder text = new StringBuilder(table.toString());
    MtuText.section(text, "differs", differences);
    return text.toString();
  }

  /** One DPU: the numbers, each layer, what differs. */
  static String one(DpuMtu dpu) {
    UnderlayObservation seen = dpu.getUnderlay();
    FieldList fields = new FieldList();
    fields.add("dpu", MtuText.shortDpu(dpu.getDpu()));
    fields.add("declared", Integer.toString(dpu.getDeclaredUnderlayMtuBytes()));
    fields.add("reported", MtuText.number(dpu.getReportedUnderlayMtuBytes()));
    fields.add("fits", dpu.getLargestMtuBytes() + " for a network");
    fields.add("frame", dpu.getNeededFrameBytes() + " must fit through the switch");
    fields.add("neighbours", neighbours(seen));
    fields.add("ports", representors(seen.getRepresentors()));
    fields.add("rdma", rdma(dpu));
    fields.add("limits", names(dpu.getLimitedNetworksList(), dpu.getLimitedNetworkCount()));
    fields.add("lose", names(dpu.getBrokenNetworksList(), dpu.getBrokenNetworkCount()));
    StringBuilder text = new StringBuilder(fields.toString());
    if (!seen.getDevice().isEmpty()) {
      text.append('\n').append(layers(seen));
    }
    MtuText.section(text, "differs", dpu.getDifferencesList());
    return text.toString();
  }

  private static Table layers(UnderlayObservation seen) {
    Table table = new Table(List.of("LAYER", "IS", "MTU", "TAGS", "SWITCH", "PORT", "FRAME"));
    table.row(
        List.of(seen.getDevice(), "has the address", bytes(seen.getMtuBytes()), "", "", "", ""));
    for (UnderlayLayer layer : seen.getLayersList()) {
      List<LldpNeighbour> neighbours =
          seen.getNeighboursList().stream()
              .filter(neighbour -> neighbour.getInterface().equals(layer.getName()))
              .toList();
      if (neighbours.isEmpty()) {
        table.row(row(layer, LldpNeighbour.getDefaultInstance()));
      }
      neighbours.forEach(neighbour -> table.row(row(layer, neighbour)));
    }
    return table;
  }

  private static List<String> row(UnderlayLayer layer, LldpNeighbour neighbour) {
    return List.of(
        layer.getName(),
        kind(layer),
        bytes(layer.getMtuBytes()),
        bytes(layer.getTagCount()),
        neighbour.getSwitchName(),
        neighbour.getPort(),
        bytes(neighbour.getMaxFrameBytes()));
  }

  private static String kind(UnderlayLayer layer) {
    return switch (layer.getKind()) {
      case UNDERLAY_LAYER_KIND_UPLINK -> "uplink";
      case UNDERLAY_LAYER_KIND_SWITCH -> "Open vSwitch";
      case UNDERLAY_LAYER_KIND_BRIDGE -> "bridge";
      case UNDERLAY_LAYER_KIND_BOND -> "bond";
      case UNDERLAY_LAYER_KIND_LOWER -> "lower device";
      default -> "";
    };
  }

  private static String neighbours(UnderlayObservation seen) {
    return switch (seen.getLldp()) {
      case LLDP_STATE_KNOWN -> seen.getNeighboursCount() + " by LLDP";
      case LLDP_STATE_ABSENT -> "not known: no lldpd on the DPU";
      case LLDP_STATE_FAILED -> "not known: " + seen.getLldpProblem();
      default -> "not known";
    };
  }

  private static String representors(RepresentorMtus representors) {
    return representors.getSmallestDevice().isEmpty()
        ? ""
        : "smallest device %s with %d, %d are needed"
            .formatted(
                representors.getSmallestDevice(),
                representors.getSmallestMtuBytes(),
                representors.getNeededMtuBytes());
  }

  /** What the switch says it takes, and what it had to take if that is more. */
  private static String frame(DpuMtu dpu) {
    int says = dpu.getSwitchFrameBytes();
    return says != 0 && says < dpu.getNeededFrameBytes()
        ? says + "<" + dpu.getNeededFrameBytes()
        : bytes(says);
  }

  /** The smallest step in a network, and what the underlay alone would give if that is more. */
  private static String rdma(DpuMtu dpu) {
    int step = dpu.getSmallestRdmaMtuBytes();
    return dpu.getRdmaLoweredNetworkCount() > 0
        ? step + "<" + dpu.getUnderlayRdmaMtuBytes()
        : bytes(step);
  }

  private static String bytes(int value) {
    return MtuText.number(value);
  }

  private static String names(List<String> names, int count) {
    String shown =
        String.join(", ", names.stream().map(ResourceKinds.NETWORK.form()::shorten).toList());
    return count > names.size() ? shown + " and " + (count - names.size()) + " more" : shown;
  }
}
