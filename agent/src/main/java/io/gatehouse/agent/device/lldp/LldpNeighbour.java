package io.gatehouse.agent.device.lldp;

/**
 * A neighbour on a link. Its texts are a stranger's: without control characters, and bounded.
 *
 * @param device here
 * @param switchName its name, or the id of its chassis where it has told none
 * @param port its port
 * @param maxFrameBytes largest frame that it takes, with header, tags and check sequence (IEEE
 *     802.3 79.3.4); 0: it does not say
 */
public record LldpNeighbour(String device, String switchName, String port, int maxFrameBytes) {}
