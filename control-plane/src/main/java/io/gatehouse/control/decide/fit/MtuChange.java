package io.gatehouse.control.decide.fit;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The second step of a change of a network's MTU. In the first, {@link #begin}, what hosts may send
 * goes down at once where it must, and what devices take goes up at once where it may; only when
 * every DPU has confirmed that, both become the same. So nobody sends what a receiver does not take
 * yet, or no longer.
 *
 * @param network as it is
 * @param effectiveBytes that comes into force
 * @param receiveBytes that is taken then
 * @param waitsFor what is missing before that may happen, for people
 */
public record MtuChange(
    Network network, int effectiveBytes, int receiveBytes, List<String> waitsFor) {
  public MtuChange {
    waitsFor = List.copyOf(waitsFor);
  }

  /**
   * What a DPU has reported.
   *
   * @param applied newest revision that it has applied and read back
   * @param underlayMtuBytes MTU of the interface that holds its VTEP address; 0: not known
   */
  public record Facts(long applied, int underlayMtuBytes) {
    /** Of a DPU that has reported nothing. */
    public static final Facts NONE = new Facts(0, 0);
  }

  /**
   * The first step of a carried network towards its MTU.
   *
   * @param limit of its paths from now on
   * @param fitsBytes the MTU that it has without one
   */
  public static Network begin(
      Network network, Optional<PathLimit> limit, int fitsBytes, Instant now) {
    Network limited = network.withPathLimit(limit);
    int goal = limited.goalMtuBytes(fitsBytes);
    return limited.withMtu(
        Math.min(network.effectiveMtuBytes(), goal),
        Math.max(network.receiveMtuBytes(), goal),
        now);
  }

  /** The second step, if the network is between the two. */
  public static Optional<MtuChange> of(Image image, Network network, Map<DpuName, Facts> facts) {
    if (!network.isMtuChanging()) {
      return Optional.empty();
    }
    List<Dpu> dpus =
        image.dpusOf(network.name()).stream().flatMap(name -> image.dpu(name).stream()).toList();
    int goal = goal(network, dpus);
    // What devices were not told to take yet needs a round of its own.
    int effective = Math.min(goal, network.receiveMtuBytes());
    List<String> waitsFor = new ArrayList<>();
    for (Dpu dpu : dpus) {
      Facts known = facts.getOrDefault(dpu.name(), Facts.NONE);
      long needed = image.mtuRevision(network.name(), dpu.name());
      if (known.applied() < needed) {
        waitsFor.add(dpu.name() + " has not confirmed revision " + needed);
      }
      if (effective > network.effectiveMtuBytes()) {
        underlayProblem(dpu, known, effective).ifPresent(waitsFor::add);
      }
    }
    return Optional.of(new MtuChange(network, effective, goal, waitsFor));
  }

  /** The network after the step. */
  public Network end(Instant now) {
    return network.withMtu(effectiveBytes, receiveBytes, now);
  }

  private static int goal(Network network, List<Dpu> dpus) {
    if (network.requestedMtuBytes() != 0) {
      return network.requestedMtuBytes();
    }
    return dpus.isEmpty()
        ? network.effectiveMtuBytes()
        : network.goalMtuBytes(NetworkMtu.over(dpus).largestBytes());
  }

  /** What an operator has declared is raised to only where the DPU has it indeed. */
  private static Optional<String> underlayProblem(Dpu dpu, Facts known, int effective) {
    EncapsulationStack stack = NetworkMtu.stack(dpu);
    int needed = stack.neededUnderlayBytes(effective);
    if (known.underlayMtuBytes() == 0) {
      return Optional.of(dpu.name() + " has not reported the MTU of its underlay");
    }
    return known.underlayMtuBytes() >= needed
        ? Optional.empty()
        : Optional.of(
            "mtu "
                + effective
                + " needs "
                + needed
                + " on the underlay, "
                + dpu.name()
                + " reports "
                + known.underlayMtuBytes());
  }
}
