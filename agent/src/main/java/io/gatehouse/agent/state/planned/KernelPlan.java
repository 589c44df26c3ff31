package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.state.Underlay;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;

/**
 * How the DPU's own network stack must treat the devices of the bridge.
 *
 * @param devices devices of tenants: up, without IPv6 of their own
 * @param guarded those whose frames the stack must never see
 * @param underlay the VTEP's device, if the agent keeps it
 */
public record KernelPlan(
    SortedSet<String> devices, SortedSet<String> guarded, Optional<Underlay> underlay) {
  public KernelPlan {
    devices = Collections.unmodifiableSortedSet(devices);
    guarded = Collections.unmodifiableSortedSet(guarded);
  }
}
