package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.NetworkMtu;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.mtu.underlay.FleetUnderlays;
import io.gatehouse.control.mtu.underlay.UnderlayLayers;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.RdmaMtu;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.UnderlayAgreement;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Underlays of DPUs: what is declared, what was read, which networks that concerns. Pure. */
final class DpuMtus {
  private static final int NAMED = 5;
  private static final int MAX_DIFFERENCES = 64;

  private DpuMtus() {}

  /** A DPU with its networks. */
  static DpuMtu withNetworks(Image image, Dpu dpu, MtuChange.Facts reported) {
    List<Network> networks = networks(image, dpu);
    List<NetworkName> limited =
        networks.stream().map(Network::name).filter(name -> isLimiting(image, name, dpu)).toList();
    List<NetworkName> broken =
        networks.stream()
            .filter(network -> isBroken(network, dpu, reported))
            .map(Network::name)
            .toList();
    List<Network> lessRdma = FleetUnderlays.withLessRdma(dpu, networks);
    return alone(dpu, reported).toBuilder()
        .setUnderlayRdmaMtuBytes(RdmaMtu.stepBytes(dpu.underlayMtuBytes()))
        .setSmallestRdmaMtuBytes(smallestRdma(networks))
        .setRdmaLoweredNetworkCount(lessRdma.size())
        .setNetworkCount(networks.size())
        .setLimitedNetworkCount(limited.size())
        .addAllLimitedNetworks(first(limited))
        .setBrokenNetworkCount(broken.size())
        .addAllBrokenNetworks(first(broken))
        .build();
  }

  private static int smallestRdma(List<Network> networks) {
    return networks.stream()
        .mapToInt(network -> RdmaMtu.stepBytes(network.effectiveMtuBytes()))
        .min()
        .orElse(0);
  }

  /**
   * A DPU with its networks, the layers of its underlay, and what differs.
   *
   * @param seen what its agent has read of them, if it has
   */
  static DpuMtu withLayers(
      Image image, Dpu dpu, ReportedMtus reported, Optional<UnderlayObservation> seen) {
    List<Network> networks = networks(image, dpu);
    MtuChange.Facts facts = reported.of(dpu.name());
    int declared = dpu.underlayMtuBytes();
    List<String> differences = new ArrayList<>();
    own(dpu, facts.underlayMtuBytes(), seen).ifPresent(differences::add);
    seen.ifPresent(known -> differences.addAll(UnderlayLayers.differences(declared, known)));
    differences.addAll(
        FleetUnderlays.peers(image, dpu, networks, name -> reported.of(name).underlayMtuBytes()));
    FleetUnderlays.rdma(dpu, FleetUnderlays.withLessRdma(dpu, networks))
        .ifPresent(differences::add);
    DpuMtu.Builder answer = withNetworks(image, dpu, facts).toBuilder();
    seen.ifPresent(answer::setUnderlay);
    UnderlayObservation layers = seen.orElse(UnderlayObservation.getDefaultInstance());
    return answer
        .setNeededFrameBytes(UnderlayLayers.neededFrameBytes(declared, layers))
        .setSwitchFrameBytes(UnderlayLayers.switchFrameBytes(layers))
        .addAllDifferences(differences.stream().limit(MAX_DIFFERENCES).toList())
        .build();
  }

  /** How the device with the VTEP address differs from what is declared. */
  private static Optional<String> own(Dpu dpu, int read, Optional<UnderlayObservation> seen) {
    String device =
        seen.map(UnderlayObservation::getDevice)
            .filter(name -> !name.isEmpty())
            .orElse("its interface");
    String text = device + " has " + read + ", declared is " + dpu.underlayMtuBytes();
    return switch (agreement(dpu.underlayMtuBytes(), read)) {
      case UNDERLAY_AGREEMENT_LESS, UNDERLAY_AGREEMENT_MORE -> Optional.of(text);
      case UNDERLAY_AGREEMENT_EQUAL -> Optional.empty();
      default -> Optional.of("the MTU of its underlay is not known");
    };
  }

  private static List<Network> networks(Image image, Dpu dpu) {
    return image.portsOf(dpu.name()).keySet().stream()
        .map(PortName::network)
        .distinct()
        .flatMap(name -> image.network(name).stream())
        .toList();
  }

  /** A DPU by itself. */
  static DpuMtu alone(Dpu dpu, MtuChange.Facts reported) {
    return DpuMtu.newBuilder()
        .setDpu(dpu.name().toString())
        .setDeclaredUnderlayMtuBytes(dpu.underlayMtuBytes())
        .setReportedUnderlayMtuBytes(reported.underlayMtuBytes())
        .setAgreement(agreement(dpu.underlayMtuBytes(), reported.underlayMtuBytes()))
        .setLargestMtuBytes(NetworkMtu.carriedBy(dpu))
        .build();
  }

  /** Whether the interface that was read is too small for the network as it is in force. */
  static boolean isBroken(Network network, Dpu dpu, MtuChange.Facts reported) {
    int known = reported.underlayMtuBytes();
    int needed = NetworkMtu.stack(dpu).neededUnderlayBytes(network.effectiveMtuBytes());
    return known != 0 && known < needed;
  }

  private static UnderlayAgreement agreement(int declared, int read) {
    if (read == 0) {
      return UnderlayAgreement.UNDERLAY_AGREEMENT_UNSPECIFIED;
    }
    if (read == declared) {
      return UnderlayAgreement.UNDERLAY_AGREEMENT_EQUAL;
    }
    return read < declared
        ? UnderlayAgreement.UNDERLAY_AGREEMENT_LESS
        : UnderlayAgreement.UNDERLAY_AGREEMENT_MORE;
  }

  private static boolean isLimiting(Image image, NetworkName network, Dpu dpu) {
    int own = NetworkMtu.carriedBy(dpu);
    Set<DpuName> dpus = image.dpusOf(network);
    return dpus.size() > 1
        && dpus.stream()
            .filter(name -> !name.equals(dpu.name()))
            .flatMap(name -> image.dpu(name).stream())
            .allMatch(other -> NetworkMtu.carriedBy(other) > own);
  }

  private static List<String> first(List<NetworkName> names) {
    return names.stream().limit(NAMED).map(NetworkName::toString).toList();
  }

  /** What a DPU has reported, for people; empty if it is what is declared. */
  static Optional<String> difference(DpuName dpu, int declared, int read) {
    return switch (agreement(declared, read)) {
      case UNDERLAY_AGREEMENT_LESS ->
          Optional.of(dpu + " reports an underlay of " + read + ", declared is " + declared);
      case UNDERLAY_AGREEMENT_UNSPECIFIED ->
          Optional.of(dpu + " has not reported the MTU of its underlay");
      default -> Optional.empty();
    };
  }
}
