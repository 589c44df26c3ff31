package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.NetworkMtu;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.UnderlayAgreement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Underlays of DPUs: what is declared, what was read, which networks that concerns. Pure. */
final class DpuMtus {
  private static final int NAMED = 5;

  private DpuMtus() {}

  /** A DPU with its networks. */
  static DpuMtu withNetworks(Image image, Dpu dpu, MtuChange.Facts reported) {
    List<Network> networks =
        image.portsOf(dpu.name()).keySet().stream()
            .map(PortName::network)
            .distinct()
            .flatMap(name -> image.network(name).stream())
            .toList();
    List<NetworkName> limited =
        networks.stream().map(Network::name).filter(name -> isLimiting(image, name, dpu)).toList();
    List<NetworkName> broken =
        networks.stream()
            .filter(network -> isBroken(network, dpu, reported))
            .map(Network::name)
            .toList();
    return alone(dpu, reported).toBuilder()
        .setNetworkCount(networks.size())
        .setLimitedNetworkCount(limited.size())
        .addAllLimitedNetworks(first(limited))
        .setBrokenNetworkCount(broken.size())
        .addAllBrokenNetworks(first(broken))
        .build();
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
