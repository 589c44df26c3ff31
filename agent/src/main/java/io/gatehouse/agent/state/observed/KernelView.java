package io.gatehouse.agent.state.observed;

import java.util.Map;
import java.util.Set;

/**
 * What the DPU's own network stack has.
 *
 * @param links by device name
 * @param guarded devices whose frames the stack does not see
 * @param underlay what is true of the VTEP's device
 */
public record KernelView(Map<String, Link> links, Set<String> guarded, UnderlayView underlay) {
  public KernelView {
    links = Map.copyOf(links);
    guarded = Set.copyOf(guarded);
  }

  /**
   * A network device.
   *
   * @param mtuBytes its MTU
   * @param up whether it is set up
   * @param ipv6Disabled whether the stack keeps IPv6 off it
   */
  public record Link(int mtuBytes, boolean up, boolean ipv6Disabled) {}

  /**
   * What is true of the VTEP's device; address and route are taken as there where the agent does
   * not keep it.
   *
   * @param mtuBytes MTU of the device that has the VTEP address; 0: none has it
   */
  public record UnderlayView(boolean addressPresent, boolean routePresent, int mtuBytes) {
    public static final UnderlayView NOT_KEPT = new UnderlayView(true, true, 0);
  }
}
