package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Flow;

/**
 * A flow as a switch holds it.
 *
 * @param flags OFPFF_* (OpenFlow 1.5.1 §7.3.4.2); 0 for flows that this program writes
 */
public record FlowEntry(Flow flow, Counters counters, Expiry expiry, int flags) {

  /** Traffic and age since the flow was added. */
  public record Counters(long packets, long bytes, long ageSeconds) {
    public static final Counters NONE = new Counters(0, 0, 0);
  }

  /** When a switch removes a flow by itself; 0 for never. */
  public record Expiry(int idleSeconds, int hardSeconds) {
    public static final Expiry NEVER = new Expiry(0, 0);
  }

  /** True if nothing but the flow itself was asked for: no expiry, no flags. */
  public boolean isPlain() {
    return flags == 0 && expiry.equals(Expiry.NEVER);
  }
}
