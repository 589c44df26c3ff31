package io.gatehouse.agent.device.netlink;

import io.gatehouse.model.net.MacAddress;
import org.jspecify.annotations.Nullable;

/**
 * A network device as the kernel describes it.
 *
 * @param index of the device in its namespace, at least 1; never used again while the namespace
 *     lives, so it outlives a rename
 * @param mtuBytes largest layer-3 packet
 * @param mac null where the device has none of 6 bytes
 * @param admin what was asked for: up or down
 * @param carrier true if the device has a peer or a signal
 * @param kind driver family such as {@code veth} or {@code tun}; null for hardware
 * @param masterIndex index of the bridge or bond that holds it, 0 for none
 * @param lowerIndex index of the device that a VLAN device or the like stands on, 0 for none; of a
 *     veth that of its other end, perhaps in another namespace
 * @param physPortName the function it stands for, such as {@code pf0vf3}, if the driver says
 * @param physSwitchId hexadecimal id of the switch that the function belongs to, if the driver says
 */
public record Link(
    int index,
    String name,
    int mtuBytes,
    @Nullable MacAddress mac,
    AdminState admin,
    OperState operState,
    boolean carrier,
    @Nullable String kind,
    int masterIndex,
    int lowerIndex,
    @Nullable String physPortName,
    @Nullable String physSwitchId) {

  /** Whether a device is switched on ({@code IFF_UP}). */
  public enum AdminState {
    UP,
    DOWN
  }

  /** Operational state (RFC 2863 ifOperStatus), in the order of the kernel's numbers. */
  public enum OperState {
    UNKNOWN,
    NOT_PRESENT,
    DOWN,
    LOWER_LAYER_DOWN,
    TESTING,
    DORMANT,
    UP
  }
}
