package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.model.net.MacAddress;

/**
 * A port of a bridge (OpenFlow 1.5.1 §7.2.1).
 *
 * @param name cut to 15 bytes by the protocol
 * @param config OFPPC_* bits
 * @param state OFPPS_* bits
 */
public record PortDescription(int number, MacAddress mac, String name, int config, int state) {

  /** Why a switch tells of a port. */
  public enum Reason {
    ADDED,
    REMOVED,
    MODIFIED
  }

  /** Somebody set the port down. */
  public boolean isAdminDown() {
    return (config & 1) != 0;
  }

  /** There is no carrier. */
  public boolean isLinkDown() {
    return (state & 1) != 0;
  }
}
