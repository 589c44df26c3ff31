package io.gatehouse.agent.state.underlay;

/**
 * The devices of the ports here, by their MTU.
 *
 * @param port whose device has the smallest; of several the one that is furthest below its need
 * @param device the smallest
 * @param mtuBytes its MTU
 * @param neededBytes what its network needs
 * @param tooSmallCount devices whose MTU is below what their network needs
 */
public record Representors(
    String port, String device, int mtuBytes, int neededBytes, int tooSmallCount) {
  /** No device of a port has a known MTU. */
  public static final Representors NONE = new Representors("", "", 0, 0, 0);
}
