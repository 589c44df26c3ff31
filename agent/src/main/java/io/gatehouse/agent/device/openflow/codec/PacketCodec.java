package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Octets;
import io.netty.buffer.ByteBuf;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Packets to and from a controller: Open vSwitch's NXT_PACKET_IN2, because only it carries what the
 * flow's action says (nicira-ext.h), and OpenFlow's packet-out (1.5.1 §7.3.6).
 */
public final class PacketCodec {
  private static final int NXT_SET_PACKET_IN_FORMAT = 16;
  private static final int NXT_PACKET_IN2 = 30;
  private static final int FORMAT_PACKET_IN2 = 2;

  private static final int PROPERTY_PACKET = 0;
  private static final int PROPERTY_METADATA = 6;
  private static final int PROPERTY_USERDATA = 7;

  /** Asynchronous messages for a controller in the equal or master role (§7.3.10). */
  private static final int ASYNC_PACKET_IN = 1;

  private static final int ASYNC_PORT_STATUS = 3;

  /** Sent by an action, and not for the lack of a flow. */
  private static final int REASON_ACTION = 1 << 1;

  private static final int NO_REASON = 0;

  private PacketCodec() {}

  /**
   * Asks for the packets that flows send to the controller, with all that is known of them; both
   * messages have the same xid.
   */
  public static void watchPackets(ByteBuf out, int xid) {
    int start = Wire.begin(out, Wire.EXPERIMENTER, xid);
    out.writeInt(Wire.NICIRA).writeInt(NXT_SET_PACKET_IN_FORMAT).writeInt(FORMAT_PACKET_IN2);
    Wire.end(out, start);
    start = Wire.begin(out, Wire.SET_ASYNC, xid);
    async(out, ASYNC_PACKET_IN, REASON_ACTION);
    async(out, ASYNC_PORT_STATUS, NO_REASON);
    Wire.end(out, start);
  }

  /** Asks for port-status messages and for no packets. */
  public static void watchPorts(ByteBuf out, int xid) {
    int start = Wire.begin(out, Wire.SET_ASYNC, xid);
    async(out, ASYNC_PACKET_IN, NO_REASON);
    async(out, ASYNC_PORT_STATUS, 7);
    Wire.end(out, start);
  }

  private static void async(ByteBuf out, int property, int reasons) {
    out.writeShort(property).writeShort(8).writeInt(reasons);
  }

  /** Has the switch do something with a packet, past all flows. */
  public static void packetOut(ByteBuf out, int xid, List<Action> doing, Octets packet) {
    int start = Wire.begin(out, Wire.PACKET_OUT, xid);
    out.writeInt(Wire.NO_BUFFER);
    int actionsLength = out.writerIndex();
    out.writeShort(0).writeShort(0);
    int match = out.writerIndex();
    out.writeShort(OxmCodec.TYPE_OXM).writeShort(4 + 8);
    Bits controller = Bits.of(Actions.CONTROLLER & 0xffff_ffffL);
    OxmCodec.write(out, Field.IN_PORT, controller, Field.IN_PORT.fullMask());
    Wire.pad(out, match);
    int actions = out.writerIndex();
    ActionCodec.writeList(out, doing);
    out.setShort(actionsLength, out.writerIndex() - actions);
    out.writeBytes(packet.toBytes());
    Wire.end(out, start);
  }

  /** Reads what follows the header of an experimenter's message; empty if it is another one. */
  public static Optional<PacketIn> readPacketIn(ByteBuf body) throws UnreadableException {
    Wire.need(body, 8);
    if (body.readInt() != Wire.NICIRA || body.readInt() != NXT_PACKET_IN2) {
      return Optional.empty();
    }
    Map<Field, Bits> metadata = Map.of();
    Octets userdata = Octets.EMPTY;
    @Nullable Octets packet = null;
    while (body.readableBytes() >= 4) {
      int type = body.getUnsignedShort(body.readerIndex());
      ByteBuf property = Wire.take(body, body.getUnsignedShort(body.readerIndex() + 2));
      Wire.need(property, 4);
      property.skipBytes(4);
      switch (type) {
        case PROPERTY_PACKET -> packet = ActionCodec.rest(property);
        case PROPERTY_METADATA -> metadata = metadata(property);
        case PROPERTY_USERDATA -> userdata = ActionCodec.rest(property);
        default -> {}
      }
    }
    if (packet == null) {
      throw new UnreadableException("a packet-in without a packet");
    }
    return Optional.of(new PacketIn(metadata, userdata, packet));
  }

  /** The fields that this program speaks of, among others that it does not. */
  private static Map<Field, Bits> metadata(ByteBuf fields) throws UnreadableException {
    Map<Field, Bits> found = new EnumMap<>(Field.class);
    while (fields.isReadable()) {
      Wire.need(fields, 4);
      int header = fields.getInt(fields.readerIndex());
      int length = header & 0xff;
      Wire.need(fields, 4 + length);
      if (OxmCodec.isKnown(header)) {
        OxmCodec.Oxm oxm = OxmCodec.read(fields);
        found.put(oxm.field(), oxm.value());
      } else {
        fields.skipBytes(4 + length);
      }
    }
    return found;
  }
}
