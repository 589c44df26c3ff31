package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.device.openflow.codec.OpenFlowError;
import io.gatehouse.agent.device.openflow.codec.Replies;
import io.gatehouse.agent.device.openflow.codec.Requests;
import io.gatehouse.agent.device.openflow.codec.Requests.BundleStep;
import io.gatehouse.agent.device.openflow.codec.UnreadableException;
import io.gatehouse.agent.device.openflow.codec.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One bundle on its way: open, changes, barrier, and only if nothing was refused commit and
 * barrier. The first barrier is needed because Open vSwitch leaves a refused change out and would
 * commit the rest. Used on the event loop only.
 */
final class Bundle {
  /** Changes are written in pieces of this size, so that one flush carries many. */
  private static final int BATCH_BYTES = 128 * 1024;

  /** Xids around those of the changes: open, barrier, commit or discard, barrier. */
  private static final int EXTRA_XIDS = 4;

  private enum State {
    WRITING,
    CHECKING,
    COMMITTING,
    DONE
  }

  private final List<FlowMod> mods;
  private final CompletableFuture<Void> future;

  private State state = State.WRITING;
  private int id;
  private int firstXid;
  private int written;
  private @Nullable DeviceException refused;
  private @Nullable Future<?> deadline;

  Bundle(List<FlowMod> mods, CompletableFuture<Void> future) {
    this.mods = mods;
    this.future = future;
  }

  void deadline(Future<?> timer) {
    deadline = timer;
  }

  int xids() {
    return mods.size() + EXTRA_XIDS;
  }

  boolean isDone() {
    return state == State.DONE;
  }

  boolean owns(int xid) {
    return xid - firstXid >= 0 && xid - firstXid < xids();
  }

  void start(Channel channel, int bundleId, int xid) {
    id = bundleId;
    firstXid = xid;
    ByteBuf out = channel.alloc().ioBuffer(64);
    Requests.bundle(out, xid, id, BundleStep.OPEN);
    Writes.flush(channel, out);
    write(channel);
  }

  /** Writes on while the channel takes it; called again when it takes more. */
  void write(Channel channel) {
    while (state == State.WRITING && channel.isWritable()) {
      ByteBuf out = channel.alloc().ioBuffer(BATCH_BYTES + Wire.MAX_MESSAGE_BYTES);
      while (written < mods.size() && out.readableBytes() < BATCH_BYTES) {
        append(out);
      }
      if (written == mods.size()) {
        Requests.bare(out, Wire.BARRIER_REQUEST, barrierXid());
        state = State.CHECKING;
      }
      Writes.flush(channel, out);
    }
  }

  /** A change that is too long for a message ends the bundle as if the bridge had refused it. */
  private void append(ByteBuf out) {
    FlowMod mod = mods.get(written);
    int start = out.writerIndex();
    try {
      Requests.bundled(out, modXid(written), id, mod);
      written++;
    } catch (IllegalArgumentException e) {
      out.writerIndex(start);
      written = mods.size();
      refused = new DeviceException(DeviceException.Kind.REJECTED, "cannot be sent: " + mod, e);
    }
  }

  /** Takes a message whose xid this bundle owns. */
  void accept(Channel channel, int xid, int type, ByteBuf body) throws UnreadableException {
    switch (type) {
      case Wire.ERROR -> refuse(xid, OpenFlowError.read(body));
      case Wire.BARRIER_REPLY -> barrier(channel, xid);
      case Wire.BUNDLE_CONTROL -> {
        int step = Replies.bundleReply(body);
        boolean known =
            step == BundleStep.OPEN.reply()
                || step == BundleStep.COMMIT.reply()
                || step == BundleStep.DISCARD.reply();
        if (!known) {
          throw new UnreadableException("bundle answer " + step);
        }
      }
      default -> throw new UnreadableException("message type " + type + " about a bundle");
    }
  }

  void failed(DeviceException cause) {
    finish();
    future.completeExceptionally(refused != null ? refused : cause);
  }

  private void barrier(Channel channel, int xid) {
    if (xid == barrierXid() && state == State.CHECKING) {
      state = State.COMMITTING;
      BundleStep step = refused == null ? BundleStep.COMMIT : BundleStep.DISCARD;
      ByteBuf out = channel.alloc().ioBuffer(64);
      Requests.bundle(out, barrierXid() + 1, id, step);
      Requests.bare(out, Wire.BARRIER_REQUEST, barrierXid() + 2);
      Writes.flush(channel, out);
      return;
    }
    finish();
    if (refused != null) {
      future.completeExceptionally(refused);
      return;
    }
    future.complete(null);
  }

  private void finish() {
    state = State.DONE;
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  /** The first error is the cause; those that follow from it say less. */
  private void refuse(int xid, OpenFlowError error) {
    if (refused != null) {
      return;
    }
    int index = xid - modXid(0);
    String what =
        index >= 0 && index < mods.size() ? mods.get(index).toString() : "the bundle as a whole";
    // A meter that is not there was there before: somebody took it, or the switch is a new one.
    DeviceException.Kind kind =
        error.isOfMeter() ? DeviceException.Kind.UNREACHABLE : DeviceException.Kind.REJECTED;
    refused = new DeviceException(kind, "the bridge says " + error.name() + " to " + what);
  }

  private int modXid(int index) {
    return firstXid + 1 + index;
  }

  private int barrierXid() {
    return modXid(mods.size());
  }
}
