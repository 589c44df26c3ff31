package io.gatehouse.control.mtu.underlay;

import io.gatehouse.control.decide.fit.NetworkMtu;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.RdmaMtu;
import io.gatehouse.model.name.DpuName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** Compares the underlay of a DPU with those it shares networks with, and with RDMA. Pure. */
public final class FleetUnderlays {
  private static final int MAX_SIZES = 5;

  private FleetUnderlays() {}

  /**
   * DPUs that share a network with this one and have another underlay, for people.
   *
   * @param read MTU of a DPU's underlay as read, 0 if not known; then what is declared counts
   */
  public static List<String> peers(
      Image image, Dpu dpu, List<Network> networks, ToIntFunction<DpuName> read) {
    Set<DpuName> peers = new TreeSet<>();
    networks.forEach(network -> peers.addAll(image.dpusOf(network.name())));
    int own = bytes(dpu, read);
    Map<Integer, List<DpuName>> bySize = new TreeMap<>();
    for (DpuName name : peers) {
      Optional<Dpu> peer = image.dpu(name);
      if (peer.isPresent() && bytes(peer.get(), read) != own) {
        bySize.computeIfAbsent(bytes(peer.get(), read), size -> new ArrayList<>()).add(name);
      }
    }
    return bySize.entrySet().stream()
        .limit(MAX_SIZES)
        .map(
            size ->
                "its underlay has %d, %s of its networks %d"
                    .formatted(own, named(size.getValue()), size.getKey()))
        .toList();
  }

  private static int bytes(Dpu dpu, ToIntFunction<DpuName> read) {
    int known = read.applyAsInt(dpu.name());
    return known != 0 ? known : dpu.underlayMtuBytes();
  }

  /** Of these networks those in which RDMA has less than the underlay alone gives. */
  public static List<Network> withLessRdma(Dpu dpu, List<Network> networks) {
    int possible = RdmaMtu.stepBytes(dpu.underlayMtuBytes());
    return networks.stream()
        .filter(network -> RdmaMtu.stepBytes(network.effectiveMtuBytes()) < possible)
        .sorted(Comparator.comparingInt(Network::effectiveMtuBytes).thenComparing(Network::name))
        .toList();
  }

  /** What is to be known of RDMA on a DPU, for people; empty if nothing is lost. */
  public static Optional<String> rdma(Dpu dpu, List<Network> lowered) {
    if (lowered.isEmpty()) {
      return Optional.empty();
    }
    int possible = RdmaMtu.stepBytes(dpu.underlayMtuBytes());
    int mtu = RdmaMtu.neededBytes(possible);
    return Optional.of(
        "RDMA drops from %d to %d bytes of payload in %s: %d needs an mtu of %d, %d on the underlay"
            .formatted(
                possible,
                RdmaMtu.stepBytes(lowered.get(0).effectiveMtuBytes()),
                named(lowered.stream().map(Network::name).toList()),
                possible,
                mtu,
                NetworkMtu.stack(dpu).neededUnderlayBytes(mtu)));
  }

  private static String named(List<?> names) {
    return names.size() == 1
        ? names.get(0).toString()
        : names.get(0) + " and " + (names.size() - 1) + " more";
  }
}
