package io.gatehouse.control.publish;

import io.gatehouse.proto.v1.SyncResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transport with room for so many messages; strict: nothing is sent after the end. */
final class FakeStream implements SyncOutbound {
  private final Deque<SyncResponse> buffer = new ArrayDeque<>();
  private int capacity = Integer.MAX_VALUE;
  private @Nullable StatusRuntimeException end;
  private boolean completed;

  @Override
  public boolean isReady() {
    return end == null && buffer.size() < capacity;
  }

  @Override
  public void send(SyncResponse message) {
    if (end != null || completed) {
      throw new IllegalStateException("sent after the end: " + message);
    }
    buffer.add(message);
  }

  @Override
  public void complete() {
    completed = true;
  }

  @Override
  public void end(StatusRuntimeException reason) {
    if (end != null) {
      throw new IllegalStateException("ended twice");
    }
    end = reason;
  }

  void capacity(int messages) {
    capacity = messages;
  }

  boolean ended() {
    return end != null || completed;
  }

  Status.@Nullable Code endCode() {
    return end == null ? null : end.getStatus().getCode();
  }

  String endText() {
    return end == null ? "" : String.valueOf(end.getStatus().getDescription());
  }

  @Nullable StatusRuntimeException endReason() {
    return end;
  }

  /** Takes the oldest message; null if there is none. */
  @Nullable SyncResponse poll() {
    return buffer.poll();
  }

  /** Takes all messages. */
  List<SyncResponse> takeAll() {
    List<SyncResponse> all = new ArrayList<>(buffer);
    buffer.clear();
    return all;
  }
}
