package io.gatehouse.agent.state.path;

import io.gatehouse.model.net.IpAddress;
import java.time.Instant;

/**
 * The path to one other DPU.
 *
 * @param address of its VTEP
 * @param since when the verdict became this one
 */
public record PathStatus(IpAddress address, PathVerdict verdict, Instant since) {}
