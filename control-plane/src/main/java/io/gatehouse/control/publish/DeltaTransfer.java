package io.gatehouse.control.publish;

import io.gatehouse.control.publish.projection.EncodedResource;
import io.gatehouse.control.publish.projection.PolicyDelta;
import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.PolicySeal;
import java.util.function.Function;

/**
 * One way from what an agent holds to a projection, cut into messages of bounded size; only the
 * last has {@code complete}. Used by one thread at a time.
 */
final class DeltaTransfer {
  /** Most resources, added and removed, in one message. */
  static final int MAX_RESOURCES = 500;

  /** Largest message; a single resource is far smaller. */
  static final int MAX_BYTES = 256 * 1024;

  /** Why it is sent, for the counters. */
  enum Kind {
    /** The agent holds everything already. */
    UNCHANGED,
    /** The agent held nothing. */
    SNAPSHOT,
    /** The agent held something else. */
    RESYNC,
    /** The policy changed under a stream that was in step. */
    CHANGE
  }

  private final Kind kind;
  private final long fromRevision;
  private final Projection target;
  private final PolicyDelta delta;
  private int upsert;
  private int removal;
  private boolean finished;

  DeltaTransfer(Kind kind, long fromRevision, Projection target, PolicyDelta delta) {
    this.kind = kind;
    this.fromRevision = fromRevision;
    this.target = target;
    this.delta = delta;
  }

  Kind kind() {
    return kind;
  }

  /** What the agent holds once it has all messages. */
  Projection target() {
    return target;
  }

  int resourceCount() {
    return delta.size();
  }

  /** True once the message with {@code complete} was taken. */
  boolean finished() {
    return finished;
  }

  /**
   * The next message; at least one is made, even if nothing changes.
   *
   * @param signer asked once, for the message that completes
   */
  Delta next(Function<Projection, PolicySeal> signer) {
    if (finished) {
      throw new IllegalStateException("the transfer to " + target.revision() + " is finished");
    }
    Delta.Builder message =
        Delta.newBuilder().setFromRevision(fromRevision).setToRevision(target.revision());
    int bytes = 0;
    int count = 0;
    while (upsert < delta.upserts().size() && count < MAX_RESOURCES) {
      EncodedResource resource = delta.upserts().get(upsert);
      bytes += resource.sizeBytes();
      if (bytes > MAX_BYTES && count > 0) {
        return message.build();
      }
      message.addUpserts(resource.message());
      upsert++;
      count++;
    }
    // A name is at most 140 bytes, so that 500 removals are below the limit of bytes by far.
    while (removal < delta.removals().size() && count < MAX_RESOURCES && bytes < MAX_BYTES / 2) {
      message.addRemovals(delta.removals().get(removal++));
      count++;
    }
    if (upsert == delta.upserts().size() && removal == delta.removals().size()) {
      finished = true;
      message
          .setComplete(true)
          .setInventoryHash(target.inventoryHash())
          .setSeal(signer.apply(target));
    }
    return message.build();
  }
}
