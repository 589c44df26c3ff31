package io.gatehouse.agent.state.path;

import io.gatehouse.model.name.NetworkName;

/**
 * What came of packets of full size through the tunnel of a network to another DPU.
 *
 * @param innerBytes size of the IP packets in the tunnel
 * @param sent that left
 * @param arrived with every byte as it was sent
 * @param damaged that arrived otherwise
 */
public record TunnelTest(
    NetworkName network, TunnelTestKind kind, int innerBytes, int sent, int arrived, int damaged) {}
