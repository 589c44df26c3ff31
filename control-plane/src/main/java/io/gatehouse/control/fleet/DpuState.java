package io.gatehouse.control.fleet;

import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.proto.v1.DpuStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The newest that is known of one DPU.
 *
 * @param reported what its agent said, without what is computed when it is asked for
 * @param applied newest revision that it has applied and read back
 * @param lastSeen last message of its agent; the epoch if there was none
 * @param vtepAddress that its agent is configured with
 * @param holder where its agent is or was connected
 */
record DpuState(
    DpuStatus reported, long applied, Instant lastSeen, String vtepAddress, Holder holder) {
  static final DpuState UNKNOWN =
      new DpuState(
          DpuStatus.getDefaultInstance(), 0, Instant.EPOCH, "", new Holder("", 0, false, null));

  /**
   * Who holds the agent's stream.
   *
   * @param replica id of the control plane
   * @param epoch counts the streams of the DPU over all control planes; 0: not yet written
   * @param connected whether the stream is open
   * @param session the stream, if it is here
   */
  record Holder(String replica, long epoch, boolean connected, @Nullable SyncSession session) {
    Holder withEpoch(long written) {
      return new Holder(replica, written, connected, session);
    }

    Holder closed() {
      return new Holder(replica, epoch, false, null);
    }
  }

  DpuState with(Holder next) {
    return new DpuState(reported, applied, lastSeen, vtepAddress, next);
  }

  DpuState seen(long nowApplied, Instant now) {
    return new DpuState(reported, nowApplied, now, vtepAddress, holder);
  }

  DpuState reporting(DpuStatus status, long nowApplied, Instant now) {
    return new DpuState(status, nowApplied, now, vtepAddress, holder);
  }
}
