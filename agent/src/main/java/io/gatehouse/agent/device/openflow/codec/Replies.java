package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.MacAddress;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The messages that are received; each method reads what follows the header. */
public final class Replies {
  private static final int OXS_CLASS = 0x8002;
  private static final int OXS_DURATION = 0;
  private static final int OXS_FLOW_COUNT = 3;
  private static final int OXS_PACKETS = 4;
  private static final int OXS_BYTES = 5;

  private static final int EVENT_INITIAL = 0;
  private static final int EVENT_ADDED = 1;
  private static final int EVENT_REMOVED = 2;
  private static final int EVENT_MODIFIED = 3;
  private static final int EVENT_ABBREVIATED = 4;
  private static final int EVENT_PAUSED = 5;
  private static final int EVENT_RESUMED = 6;

  private static final int NAME_BYTES = 16;
  private static final int HELLO_VERSIONS = 1;

  private Replies() {}

  /** What starts every part of a multipart reply. */
  public record Multipart(int type, boolean more) {}

  /** How many flows a filter selects, and their traffic. */
  public record Aggregate(long packets, long bytes, long flows) {}

  /** A port and why it is told. */
  public record PortStatus(PortDescription.Reason reason, PortDescription port) {}

  /**
   * True if the peer speaks OpenFlow 1.5: by its list of versions, or by its highest (§6.3.1).
   *
   * @param version the version in the header
   */
  public static boolean helloAgrees(int version, ByteBuf body) throws UnreadableException {
    while (body.readableBytes() >= 4) {
      int type = body.getUnsignedShort(body.readerIndex());
      int length = body.getUnsignedShort(body.readerIndex() + 2);
      if (length < 4) {
        throw new UnreadableException("a hello element of " + length + " bytes");
      }
      ByteBuf element = Wire.take(body, length).skipBytes(4);
      if (type == HELLO_VERSIONS && element.readableBytes() >= 4) {
        return (element.readInt() >>> Wire.VERSION & 1) == 1;
      }
    }
    return version >= Wire.VERSION;
  }

  /** The datapath's id. */
  public static long features(ByteBuf body) throws UnreadableException {
    Wire.need(body, 24);
    return body.readLong();
  }

  public static Multipart multipart(ByteBuf body) throws UnreadableException {
    Wire.need(body, 8);
    int type = body.readUnsignedShort();
    int flags = body.readUnsignedShort();
    body.skipBytes(4);
    return new Multipart(type, (flags & Wire.MULTIPART_MORE) != 0);
  }

  /** The kind of a bundle's answer. */
  public static int bundleReply(ByteBuf body) throws UnreadableException {
    Wire.need(body, 8);
    return body.skipBytes(4).readUnsignedShort();
  }

  /** Reads the flows of one part and appends them; those it does not know, to the second list. */
  public static void flows(
      ByteBuf body, List<FlowEntry> entries, List<FlowDump.Unreadable> unreadable)
      throws UnreadableException {
    while (body.isReadable()) {
      Wire.need(body, 32);
      ByteBuf flow = Wire.take(body, body.getUnsignedShort(body.readerIndex()));
      Wire.need(flow, 32);
      int table = flow.skipBytes(4).readUnsignedByte();
      int priority = flow.skipBytes(1).readUnsignedShort();
      FlowEntry.Expiry expiry = expiry(flow.readUnsignedShort(), flow.readUnsignedShort());
      int flags = flow.readUnsignedShort();
      long cookie = flow.skipBytes(2).readLong();
      try {
        Match match = OxmCodec.readMatch(flow);
        Stats stats = stats(flow);
        List<Action> actions = ActionCodec.readInstructions(flow);
        Flow value = new Flow(table, priority, cookie, match, actions);
        entries.add(new FlowEntry(value, stats.counters(), expiry, flags));
      } catch (UnreadableException | InvalidValueException e) {
        String reason = String.valueOf(e.getMessage());
        unreadable.add(new FlowDump.Unreadable(table, priority, cookie, reason));
      }
    }
  }

  public static Aggregate aggregate(ByteBuf body) throws UnreadableException {
    Stats stats = stats(body);
    return new Aggregate(stats.packets, stats.bytes, stats.flows);
  }

  /** One message of a flow monitor (§7.3.5.18.2). */
  public static FlowChanges changes(ByteBuf body) throws UnreadableException {
    List<FlowChange> changes = new ArrayList<>();
    boolean gap = false;
    while (body.isReadable()) {
      Wire.need(body, 8);
      ByteBuf update = Wire.take(body, body.getUnsignedShort(body.readerIndex()));
      Wire.need(update, 8);
      int event = update.skipBytes(2).readUnsignedShort();
      switch (event) {
        case EVENT_ABBREVIATED -> {}
        case EVENT_PAUSED, EVENT_RESUMED -> gap = true;
        case EVENT_INITIAL, EVENT_ADDED -> gap |= !change(FlowChange.Kind.ADDED, update, changes);
        case EVENT_MODIFIED -> gap |= !change(FlowChange.Kind.MODIFIED, update, changes);
        case EVENT_REMOVED -> gap |= !change(FlowChange.Kind.REMOVED, update, changes);
        default -> throw new UnreadableException("flow monitor event " + event);
      }
    }
    return new FlowChanges(changes, gap);
  }

  /** False if the flow cannot be read. */
  private static boolean change(FlowChange.Kind kind, ByteBuf update, List<FlowChange> changes)
      throws UnreadableException {
    Wire.need(update, 24);
    int table = update.readUnsignedByte();
    FlowEntry.Expiry expiry =
        expiry(update.skipBytes(1).readUnsignedShort(), update.readUnsignedShort());
    int priority = update.readUnsignedShort();
    long cookie = update.skipBytes(4).readLong();
    try {
      Match match = OxmCodec.readMatch(update);
      List<Action> actions = ActionCodec.readInstructions(update);
      Flow flow = new Flow(table, priority, cookie, match, actions);
      changes.add(new FlowChange(kind, flow, expiry));
      return true;
    } catch (UnreadableException | InvalidValueException e) {
      return false;
    }
  }

  public static List<PortDescription> ports(ByteBuf body) throws UnreadableException {
    List<PortDescription> ports = new ArrayList<>();
    while (body.isReadable()) {
      ports.add(port(body));
    }
    return ports;
  }

  public static PortStatus portStatus(ByteBuf body) throws UnreadableException {
    Wire.need(body, 8);
    int code = body.readUnsignedByte();
    PortDescription.Reason reason =
        switch (code) {
          case 0 -> PortDescription.Reason.ADDED;
          case 1 -> PortDescription.Reason.REMOVED;
          case 2 -> PortDescription.Reason.MODIFIED;
          default -> throw new UnreadableException("port status for reason " + code);
        };
    return new PortStatus(reason, port(body.skipBytes(7)));
  }

  private static PortDescription port(ByteBuf body) throws UnreadableException {
    Wire.need(body, 40);
    ByteBuf port = Wire.take(body, body.getUnsignedShort(body.readerIndex() + 4));
    Wire.need(port, 40);
    int number = port.readInt();
    port.skipBytes(4);
    long mac = (long) port.readUnsignedShort() << 32 | port.readUnsignedInt();
    ByteBuf name = port.skipBytes(2).readSlice(NAME_BYTES);
    int end = name.bytesBefore((byte) 0);
    String text = name.toString(0, end < 0 ? NAME_BYTES : end, StandardCharsets.UTF_8);
    return new PortDescription(number, new MacAddress(mac), text, port.readInt(), port.readInt());
  }

  private record Stats(long packets, long bytes, long flows, long ageSeconds) {
    FlowEntry.Counters counters() {
      return new FlowEntry.Counters(packets, bytes, ageSeconds);
    }
  }

  /** Statistics as OXS TLVs (§7.2.5). */
  private static Stats stats(ByteBuf in) throws UnreadableException {
    Wire.need(in, 4);
    int length = in.getUnsignedShort(in.readerIndex() + 2);
    if (length < 4) {
      throw new UnreadableException("statistics of " + length + " bytes");
    }
    ByteBuf fields = Wire.take(in, length).skipBytes(4);
    long[] values = new long[OXS_BYTES + 1];
    while (fields.isReadable()) {
      Wire.need(fields, 4);
      int header = fields.readInt();
      int size = header & 0xff;
      int number = header >>> 9 & 0x7f;
      Wire.need(fields, size);
      if (header >>> 16 != OXS_CLASS || number > OXS_BYTES) {
        fields.skipBytes(size);
        continue;
      }
      values[number] = value(fields, number, size);
    }
    return new Stats(
        values[OXS_PACKETS], values[OXS_BYTES], values[OXS_FLOW_COUNT], values[OXS_DURATION]);
  }

  /** Times are seconds and nanoseconds, of which the seconds count here. */
  private static long value(ByteBuf in, int number, int size) throws UnreadableException {
    if (size == 4) {
      return in.readUnsignedInt();
    }
    if (size != 8) {
      throw new UnreadableException("a statistic of " + size + " bytes");
    }
    long value = in.readLong();
    return number < OXS_FLOW_COUNT ? value >>> 32 : value;
  }

  private static FlowEntry.Expiry expiry(int idle, int hard) {
    return idle == 0 && hard == 0 ? FlowEntry.Expiry.NEVER : new FlowEntry.Expiry(idle, hard);
  }
}
