package io.gatehouse.agent.state.change;

import io.gatehouse.agent.state.Underlay;
import java.util.List;
import java.util.Optional;

/**
 * What to change in the DPU's own network stack.
 *
 * @param guard devices to guard
 * @param unguard devices whose guard goes
 * @param disableIpv6 devices to keep IPv6 off
 * @param setUp devices to set up
 * @param restoreUnderlay the VTEP's device, if its address or route is missing
 */
public record KernelChange(
    List<String> guard,
    List<String> unguard,
    List<String> disableIpv6,
    List<String> setUp,
    Optional<Underlay> restoreUnderlay) {
  public static final KernelChange NONE =
      new KernelChange(List.of(), List.of(), List.of(), List.of(), Optional.empty());

  public KernelChange {
    guard = List.copyOf(guard);
    unguard = List.copyOf(unguard);
    disableIpv6 = List.copyOf(disableIpv6);
    setUp = List.copyOf(setUp);
  }

  /** Number of single writes. */
  public int size() {
    return guard.size()
        + unguard.size()
        + disableIpv6.size()
        + setUp.size()
        + (restoreUnderlay.isPresent() ? 1 : 0);
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
