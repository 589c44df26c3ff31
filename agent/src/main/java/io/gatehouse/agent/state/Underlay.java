package io.gatehouse.agent.state;

import io.gatehouse.model.net.IpAddress;
import java.util.Optional;

/**
 * The device that holds the VTEP address, where the agent keeps it in order. A restart of
 * ovs-vswitchd makes such a device anew, without address and route.
 *
 * @param device name of the network device
 * @param address the VTEP address
 * @param prefixLength of the subnet that the address is in
 * @param gateway next hop of the default route; empty: no route is kept
 */
public record Underlay(
    String device, IpAddress address, int prefixLength, Optional<IpAddress> gateway) {}
