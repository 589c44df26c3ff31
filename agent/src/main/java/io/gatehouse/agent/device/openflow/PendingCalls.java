package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.OpenFlowError;
import io.gatehouse.agent.device.openflow.codec.UnreadableException;
import io.gatehouse.agent.device.openflow.codec.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls that wait for their answer, by xid, each with a deadline. Used on the event loop only. */
final class PendingCalls {
  private record Pending(Reply reply, Future<?> deadline) {}

  private final EventLoop loop;
  private final int max;
  private final Map<Integer, Pending> calls = new HashMap<>();

  PendingCalls(EventLoop loop, int max) {
    this.loop = loop;
    this.max = max;
  }

  /** False if there are too many already; the reply has then been told. */
  boolean add(int xid, Reply reply, Duration wait) {
    if (calls.size() >= max) {
      reply.failed(
          new DeviceException(
              DeviceException.Kind.UNREACHABLE, calls.size() + " calls wait for the bridge"));
      return false;
    }
    Future<?> deadline =
        loop.schedule(() -> expire(xid, wait), wait.toNanos(), TimeUnit.NANOSECONDS);
    calls.put(xid, new Pending(reply, deadline));
    return true;
  }

  /** False if no call waits under this xid, as when its deadline has passed. */
  boolean accept(int xid, int type, ByteBuf body) throws UnreadableException {
    Pending pending = calls.get(xid);
    if (pending == null) {
      return false;
    }
    if (type == Wire.ERROR) {
      OpenFlowError error = OpenFlowError.read(body);
      remove(xid);
      pending.reply.failed(
          new DeviceException(DeviceException.Kind.REJECTED, "the bridge says " + error.name()));
      return true;
    }
    if (pending.reply.accept(type, body)) {
      remove(xid);
    }
    return true;
  }

  void failAll(DeviceException cause) {
    List<Integer> xids = new ArrayList<>(calls.keySet());
    for (int xid : xids) {
      Pending pending = remove(xid);
      if (pending != null) {
        pending.reply.failed(cause);
      }
    }
  }

  private void expire(int xid, Duration wait) {
    Pending pending = remove(xid);
    if (pending != null) {
      pending.reply.failed(
          new DeviceException(
              DeviceException.Kind.UNREACHABLE, "no answer in " + wait.toMillis() + " ms"));
    }
  }

  private @Nullable Pending remove(int xid) {
    Pending pending = calls.remove(xid);
    if (pending != null) {
      pending.deadline.cancel(false);
    }
    return pending;
  }
}
