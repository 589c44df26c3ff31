package io.gatehouse.agent.path;

import io.gatehouse.model.net.IpAddress;

/**
 * A packet to send.
 *
 * @param flow the way through the fabric, from 0
 * @param sizeBytes of the whole IP packet
 * @param nonce comes back with the answer
 */
public record Probe(IpAddress to, int flow, int sizeBytes, long nonce) {}
