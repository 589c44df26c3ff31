package io.gatehouse.agent.reconcile;

import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.net.IpAddress;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the paths to other DPUs carry, where that is too little: the loop plans with it. */
public final class PathLimits {
  private final Wakeups wakeups;
  private volatile Map<IpAddress, Integer> ofHosts = Map.of();

  public PathLimits(Wakeups wakeups) {
    this.wakeups = wakeups;
  }

  /**
   * These are the limits from now on. From any thread.
   *
   * @param onUnderlay bytes of the largest IP packet that reaches a VTEP
   */
  public void set(SortedMap<IpAddress, Integer> onUnderlay) {
    Map<IpAddress, Integer> inside = new TreeMap<>();
    onUnderlay.forEach(
        (vtep, bytes) ->
            inside.put(vtep, EncapsulationStack.vxlan(vtep.family()).largestInnerBytes(bytes)));
    ofHosts = Collections.unmodifiableMap(inside);
    wakeups.wake();
  }

  /** Bytes of the largest packet of a host that reaches a DPU, by the address of its VTEP. */
  Map<IpAddress, Integer> ofHosts() {
    return ofHosts;
  }
}
