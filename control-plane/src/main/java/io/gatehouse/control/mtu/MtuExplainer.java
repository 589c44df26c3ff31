package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.NetworkMtu;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.mtu.RdmaMtu;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.MtuBudgetLine;
import io.gatehouse.wire.PathLimitWire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the MTU of a network comes about. Pure. */
final class MtuExplainer {
  private static final int MAX_DPUS = 1_000;
  private static final String LOST = "packets larger than";

  private MtuExplainer() {}

  static ExplainMtuResponse explain(
      Image image, Network network, Map<DpuName, MtuChange.Facts> facts) {
    List<Dpu> carriers = carriers(image, network);
    // As the decision does: while nobody carries the network, the whole fleet counts.
    Collection<Dpu> counted = carriers.isEmpty() ? image.dpus().values() : carriers;
    NetworkMtu fits = NetworkMtu.over(counted);
    ExplainMtuResponse.Builder answer =
        ExplainMtuResponse.newBuilder()
            .setName(network.name().toString())
            .setMtuBytes(network.requestedMtuBytes())
            .setEffectiveMtuBytes(network.effectiveMtuBytes())
            .setLargestMtuBytes(fits.largestBytes())
            .setNeededUnderlayMtuBytes(
                fits.stack().neededUnderlayBytes(network.effectiveMtuBytes()))
            .setRdmaMtuBytes(RdmaMtu.stepBytes(network.effectiveMtuBytes()))
            .addAllWarnings(warnings(network, counted, facts).stream().limit(MAX_DPUS).toList());
    if (network.isMtuChanging()) {
      answer.setReceiveMtuBytes(network.receiveMtuBytes());
    }
    PathLimitWire.toProto(network).ifPresent(answer::setPathLimit);
    Optional<Dpu> limiting = NetworkMtu.limiting(counted);
    limiting.ifPresent(dpu -> answer.setLimitingDpu(dpu.name().toString()));
    int underlay = limiting.map(Dpu::underlayMtuBytes).orElse(Dpu.DEFAULT_UNDERLAY_MTU_BYTES);
    answer.setLimitingUnderlayMtuBytes(underlay).addAllBudget(budget(fits.stack(), underlay));
    MtuChange.of(image, network, facts)
        .ifPresent(
            change -> answer.addAllWaitsFor(change.waitsFor().stream().limit(MAX_DPUS).toList()));
    carriers.stream()
        .limit(MAX_DPUS)
        .forEach(dpu -> answer.addDpus(DpuMtus.alone(dpu, facts(facts, dpu))));
    return answer.build();
  }

  /** The same without what concerns no tenant: DPUs that carry none of its ports, and reports. */
  static ExplainMtuResponse forTenant(ExplainMtuResponse whole) {
    ExplainMtuResponse.Builder answer = whole.toBuilder();
    if (whole.getDpusCount() == 0) {
      answer.clearLimitingDpu();
    }
    answer
        .clearWarnings()
        .addAllWarnings(
            whole.getWarningsList().stream()
                .filter(text -> whole.getDpusCount() > 0 && isForTenants(text))
                .toList());
    if (whole.getWaitsForCount() > 0) {
      answer.clearWaitsFor().addWaitsFor("not every DPU has confirmed it yet");
    }
    answer
        .getDpusBuilderList()
        .forEach(dpu -> dpu.clearReportedUnderlayMtuBytes().clearAgreement());
    return answer.build();
  }

  /** Of its own MTU and its own DPUs, and nothing that follows from what others do. */
  private static boolean isForTenants(String warning) {
    return warning.startsWith("RDMA") || warning.startsWith(LOST);
  }

  private static List<Dpu> carriers(Image image, Network network) {
    return image.dpusOf(network.name()).stream().flatMap(name -> image.dpu(name).stream()).toList();
  }

  private static List<MtuBudgetLine> budget(EncapsulationStack stack, int underlay) {
    return stack.budget(underlay).stream()
        .map(line -> MtuBudgetLine.newBuilder().setWhat(line.what()).setBytes(line.bytes()).build())
        .toList();
  }

  private static List<String> warnings(
      Network network, Collection<Dpu> counted, Map<DpuName, MtuChange.Facts> facts) {
    List<String> warnings = new ArrayList<>();
    rdmaDrop(network, counted).ifPresent(warnings::add);
    lost(network).ifPresent(warnings::add);
    for (Dpu dpu : counted) {
      int read = facts(facts, dpu).underlayMtuBytes();
      if (DpuMtus.isBroken(network, dpu, facts(facts, dpu))) {
        int needed = NetworkMtu.stack(dpu).neededUnderlayBytes(network.effectiveMtuBytes());
        warnings.add(
            "mtu %d needs %d on the underlay, %s reports %d: large packets are lost"
                .formatted(network.effectiveMtuBytes(), needed, dpu.name(), read));
        continue;
      }
      if (facts.containsKey(dpu.name())) {
        DpuMtus.difference(dpu.name(), dpu.underlayMtuBytes(), read).ifPresent(warnings::add);
      }
    }
    return warnings;
  }

  private static Optional<String> lost(Network network) {
    return network
        .pathLimit()
        .filter(limit -> network.isDegraded())
        .map(
            limit ->
                LOST
                    + " %d vanish from %s to %s: %s"
                        .formatted(
                            limit.largestBytes(), limit.from(), limit.to(), whyKept(network)));
  }

  private static String whyKept(Network network) {
    return network.requestedMtuBytes() == 0
        ? "its prefixes need an mtu of " + network.leastMtuBytes()
        : "the mtu of " + network.requestedMtuBytes() + " was asked for, and is kept";
  }

  /** A step less than the largest of the underlays would give by itself. */
  private static Optional<String> rdmaDrop(Network network, Collection<Dpu> counted) {
    int step = RdmaMtu.stepBytes(network.effectiveMtuBytes());
    Optional<Dpu> largest = counted.stream().max(Comparator.comparingInt(Dpu::underlayMtuBytes));
    int possible = largest.map(dpu -> RdmaMtu.stepBytes(dpu.underlayMtuBytes())).orElse(step);
    if (step >= possible) {
      return Optional.empty();
    }
    int mtu = RdmaMtu.neededBytes(possible);
    int underlay = NetworkMtu.stack(largest.orElseThrow()).neededUnderlayBytes(mtu);
    return Optional.of(
        "RDMA drops from %d to %d bytes of payload: %d needs an mtu of %d, %d on the underlay"
            .formatted(possible, step, possible, mtu, underlay));
  }

  private static MtuChange.Facts facts(Map<DpuName, MtuChange.Facts> facts, Dpu dpu) {
    return facts.getOrDefault(dpu.name(), MtuChange.Facts.NONE);
  }
}
