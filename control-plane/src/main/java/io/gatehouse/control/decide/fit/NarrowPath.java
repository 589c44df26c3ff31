package io.gatehouse.control.decide.fit;

import io.gatehouse.model.name.DpuName;

/**
 * A path on which small packets arrive and larger ones do not, as probes of exact size have shown.
 *
 * @param from where it begins: the DPU that has probed it
 * @param to where it ends
 * @param provenBytes largest IP packet on the underlay that has arrived
 */
public record NarrowPath(DpuName from, DpuName to, int provenBytes) {}
