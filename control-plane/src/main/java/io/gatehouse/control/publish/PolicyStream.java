package io.gatehouse.control.publish;

import io.gatehouse.control.publish.projection.PolicyDelta;
import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.SyncResponse;
import org.jspecify.annotations.Nullable;

/**
 * What one agent was sent of its policy: the projection it holds by now, and the transfer that is
 * under way. Used under the session's lock.
 */
final class PolicyStream {
  private static final long UNTIMED = 0;

  private final DpuName dpu;
  private final SessionContext context;
  private final SyncOutbound out;
  private final AckLatency latency = new AckLatency();
  private @Nullable Projection sent;
  private @Nullable DeltaTransfer transfer;
  private long sinceNanos = UNTIMED;
  private long progressNanos;
  private long newestRevision;

  PolicyStream(DpuName dpu, SessionContext context, SyncOutbound out) {
    this.dpu = dpu;
    this.context = context;
    this.out = out;
  }

  /** The agent holds a revision already. */
  void knows(long revision) {
    newestRevision = Math.max(newestRevision, revision);
  }

  /** Newest revision that the agent can know of. */
  long newestRevision() {
    return newestRevision;
  }

  /** When the last message was sent or the last transfer began. */
  long progressNanos() {
    return progressNanos;
  }

  /** Begins a transfer from whatever the agent holds; one that was under way is given up. */
  void begin(DeltaTransfer.Kind kind, Projection target, PolicyDelta delta) {
    sinceNanos = UNTIMED;
    begin(new DeltaTransfer(kind, 0, target, delta));
  }

  /**
   * Begins a transfer of what has changed since the last one.
   *
   * @param changedNanos when the change was committed
   * @return false if there was no transfer yet, or the target is no newer than the last one's
   */
  boolean beginChange(Projection target, long changedNanos) {
    Projection before = sent;
    if (before == null || target.revision() <= before.revision()) {
      return false;
    }
    sinceNanos = changedNanos;
    begin(
        new DeltaTransfer(
            DeltaTransfer.Kind.CHANGE, before.revision(), target, target.since(before)));
    return true;
  }

  boolean hasMore() {
    return transfer != null;
  }

  void sendNext() {
    DeltaTransfer current = transfer;
    if (current == null) {
      return;
    }
    Delta delta = current.next(target -> context.source().seal(dpu, target));
    out.send(SyncResponse.newBuilder().setDelta(delta).build());
    boolean config = delta.getUpsertsCount() + delta.getRemovalsCount() > 0;
    context.metrics().sent(current.kind(), config ? delta.getSerializedSize() : 0);
    progressNanos = context.nanoClock().getAsLong();
    if (!current.finished()) {
      return;
    }
    transfer = null;
    sent = current.target();
    context.metrics().finished(current.kind(), current.resourceCount());
    if (sinceNanos != UNTIMED) {
      context.metrics().published(progressNanos - sinceNanos);
      latency.sent(current.target().revision(), sinceNanos);
    }
  }

  /** The agent has applied and read back a revision. */
  void verified(long appliedRevision) {
    long now = context.nanoClock().getAsLong();
    latency.acked(appliedRevision, now, context.metrics()::verified);
  }

  /** Whether the agent, at this revision, holds all that it was sent to the end. */
  boolean isHeld(long heldRevision) {
    return sent != null && heldRevision >= sent.revision();
  }

  private void begin(DeltaTransfer next) {
    transfer = next;
    newestRevision = Math.max(newestRevision, next.target().revision());
    progressNanos = context.nanoClock().getAsLong();
  }
}
