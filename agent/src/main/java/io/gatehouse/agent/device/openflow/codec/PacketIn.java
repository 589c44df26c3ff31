package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Octets;

/**
 * A packet that a flow has sent to the controller.
 *
 * @param inPort OpenFlow port that it came in at
 * @param userdata what the flow's action says
 * @param packet from the Ethernet header on
 */
public record PacketIn(int inPort, Octets userdata, Octets packet) {}
