package io.gatehouse.agent.device.netlink;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;

/**
 * An address of a device.
 *
 * @param linkIndex of the device, at least 1
 * @param prefixLength of the network on the link, in bits
 */
public record LinkAddress(int linkIndex, IpAddress address, int prefixLength) {
  public LinkAddress {
    if (linkIndex < 1) {
      throw new InvalidValueException("link_index", linkIndex, "is below 1");
    }
    if (prefixLength < 0 || prefixLength > address.family().bits()) {
      throw new InvalidValueException(
          "prefix_length", prefixLength, "is outside 0.." + address.family().bits());
    }
  }

  @Override
  public String toString() {
    return address + "/" + prefixLength + " on link " + linkIndex;
  }
}
