package io.gatehouse.agent.subscribe;

/**
 * How the stream to the control plane is.
 *
 * @param connected whether a stream is open and has brought a message
 * @param reason why not; empty if it is
 * @param lastMessageNanos monotonic time of the last message, or of the end of the stream that was
 *     open after it; valid if {@code everHeard}
 * @param everHeard whether there was any message since the start
 * @param refusal why the newest policy was not taken over; empty if it was
 */
public record SyncStatus(
    boolean connected, String reason, long lastMessageNanos, boolean everHeard, String refusal) {
  static final SyncStatus NEVER = new SyncStatus(false, "not connected yet", 0, false, "");

  SyncStatus heard(long nanos) {
    return new SyncStatus(true, "", nanos, true, refusal);
  }

  /** An open stream is kept alive by probes: until its end the policy held was the newest. */
  SyncStatus lost(String why, long nanos) {
    return new SyncStatus(false, why, connected ? nanos : lastMessageNanos, everHeard, refusal);
  }

  SyncStatus refusing(String why) {
    return new SyncStatus(connected, reason, lastMessageNanos, everHeard, why);
  }
}
