package io.gatehouse.agent.subscribe;

import io.gatehouse.runtime.Backoff;
import java.time.Duration;

/**
 * The rhythm of a {@link SyncClient}.
 *
 * @param heartbeat between two heartbeats
 * @param reconnect pauses between attempts
 */
public record SyncTimes(Duration heartbeat, Backoff reconnect) {}
