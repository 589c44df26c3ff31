package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowEntry;
import io.gatehouse.agent.device.openflow.codec.MeterCodec;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import io.gatehouse.agent.device.openflow.codec.Replies;
import io.gatehouse.agent.device.openflow.codec.UnreadableException;
import io.gatehouse.agent.device.openflow.codec.Wire;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The replies of each kind of call; each completes a future. */
final class Replying {
  /** Eight for each of the ports that a bridge can have. */
  private static final int MAX_METERS = 8 * 0x1_0000;

  private Replying() {}

  /** What a message does to the value in the making; null while more is to come. */
  private interface Reader<T> {
    @Nullable T read(ByteBuf body) throws UnreadableException;
  }

  private record Single<T>(CompletableFuture<T> future, int type, Reader<T> reader)
      implements Reply {
    @Override
    public boolean accept(int got, ByteBuf body) throws UnreadableException {
      if (got != type) {
        throw new UnreadableException("message type " + got + " instead of " + type);
      }
      T value = reader.read(body);
      return value != null && (future.complete(value) || future.isDone());
    }

    @Override
    public void failed(DeviceException cause) {
      future.completeExceptionally(cause);
    }
  }

  static Reply barrier(CompletableFuture<Boolean> future) {
    return new Single<>(future, Wire.BARRIER_REPLY, body -> true);
  }

  static Reply aggregate(CompletableFuture<Replies.Aggregate> future) {
    return new Single<>(
        future,
        Wire.MULTIPART_REPLY,
        body -> {
          part(body, Wire.MULTIPART_AGGREGATE);
          return Replies.aggregate(body);
        });
  }

  static Reply ports(CompletableFuture<List<PortDescription>> future) {
    List<PortDescription> ports = new ArrayList<>();
    return new Single<>(
        future,
        Wire.MULTIPART_REPLY,
        body -> {
          boolean more = part(body, Wire.MULTIPART_PORT_DESC);
          ports.addAll(Replies.ports(body));
          return more ? null : List.copyOf(ports);
        });
  }

  static Reply meters(CompletableFuture<List<MeterCodec.Found>> future) {
    return list(future, Wire.MULTIPART_METER_DESC, MeterCodec::readDump);
  }

  static Reply counters(CompletableFuture<List<MeterCodec.Counters>> future) {
    return list(future, Wire.MULTIPART_METER_STATS, MeterCodec::readCounters);
  }

  static Reply meterFeatures(CompletableFuture<MeterCodec.Features> future) {
    return new Single<>(
        future,
        Wire.MULTIPART_REPLY,
        body -> {
          part(body, Wire.MULTIPART_METER_FEATURES);
          return MeterCodec.readFeatures(body);
        });
  }

  /** Reads the elements of one part of an answer and appends them. */
  private interface ListReader<T> {
    void read(ByteBuf body, List<T> elements) throws UnreadableException;
  }

  private static <T> Reply list(CompletableFuture<List<T>> future, int type, ListReader<T> reader) {
    List<T> elements = new ArrayList<>();
    return new Single<>(
        future,
        Wire.MULTIPART_REPLY,
        body -> {
          boolean more = part(body, type);
          reader.read(body, elements);
          if (elements.size() > MAX_METERS) {
            throw new UnreadableException("more than " + MAX_METERS + " meters in an answer");
          }
          return more ? null : List.copyOf(elements);
        });
  }

  static Reply flows(CompletableFuture<FlowDump> future, int maxFlows) {
    List<FlowEntry> entries = new ArrayList<>();
    List<FlowDump.Unreadable> unreadable = new ArrayList<>();
    return new Single<>(
        future,
        Wire.MULTIPART_REPLY,
        body -> {
          boolean more = part(body, Wire.MULTIPART_FLOW_DESC);
          Replies.flows(body, entries, unreadable);
          if (entries.size() + unreadable.size() > maxFlows) {
            throw new UnreadableException("more than " + maxFlows + " flows in an answer");
          }
          return more ? null : new FlowDump(entries, unreadable);
        });
  }

  private static boolean part(ByteBuf body, int type) throws UnreadableException {
    Replies.Multipart part = Replies.multipart(body);
    if (part.type() != type) {
      throw new UnreadableException("multipart type " + part.type() + " instead of " + type);
    }
    return part.more();
  }
}
