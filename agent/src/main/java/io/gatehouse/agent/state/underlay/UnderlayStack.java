package io.gatehouse.agent.state.underlay;

import java.util.List;

/**
 * What carries the tunnels, from the device that has the VTEP address down to the switch's port.
 *
 * @param device that has the VTEP address; empty: none that says anything of the underlay
 * @param mtuBytes its MTU
 * @param layers what is below it, the nearest first
 * @param representors devices of the ports here
 */
public record UnderlayStack(
    String device,
    int mtuBytes,
    List<Layer> layers,
    Neighbours neighbours,
    Representors representors) {
  public UnderlayStack {
    layers = List.copyOf(layers);
  }

  /**
   * A device or bridge that carries the tunnels' packets.
   *
   * @param mtuBytes 0: not known
   * @param tagCount 802.1Q tags that frames have there, outside of its MTU
   */
  public record Layer(String name, Kind kind, int mtuBytes, int tagCount) {}

  /** What a layer is. */
  public enum Kind {
    /** A device that packets leave by. */
    UPLINK,
    /** A bridge of Open vSwitch. */
    SWITCH,
    /** A bridge of the kernel. */
    BRIDGE,
    /** Several links as one. */
    BOND,
    /** A device below a VLAN device or the like. */
    LOWER
  }
}
