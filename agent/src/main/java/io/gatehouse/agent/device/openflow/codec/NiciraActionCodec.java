package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Octets;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** The actions that Open vSwitch adds to OpenFlow (ovs-actions(7)). */
final class NiciraActionCodec {
  private static final int REG_MOVE = 6;
  private static final int REG_LOAD = 7;
  private static final int NOTE = 8;
  private static final int RESUBMIT_TABLE = 14;
  private static final int OUTPUT_REG = 15;
  private static final int CONTROLLER = 20;
  private static final int REG_LOAD2 = 33;
  private static final int CONJUNCTION = 34;
  private static final int CT = 35;
  private static final int CONTROLLER2 = 37;
  private static final int CT_CLEAR = 43;
  private static final int CHECK_PKT_LARGER = 49;

  private static final int CURRENT_PORT = 0xfff8;
  private static final int ALL_BYTES = 0xffff;
  private static final int REASON_ACTION = 1;
  private static final int CT_COMMIT = 1;
  private static final int CT_FORCE = 2;

  private NiciraActionCodec() {}

  static void write(ByteBuf out, Action action) {
    if (action instanceof Action.Resubmit resubmit) {
      head(out, RESUBMIT_TABLE).writeShort(CURRENT_PORT).writeByte(resubmit.table()).writeZero(3);
    } else if (action instanceof Action.ConnTrack ct) {
      writeCt(out, ct);
    } else if (action instanceof Action.OutputReg output) {
      head(out, OUTPUT_REG)
          .writeShort(run(output.ofs(), output.bits()))
          .writeInt(OxmCodec.header(output.field()))
          .writeShort(ALL_BYTES)
          .writeZero(6);
    } else if (action instanceof Action.CheckPktLarger check) {
      head(out, CHECK_PKT_LARGER)
          .writeShort(check.bytes())
          .writeShort(check.bit())
          .writeInt(OxmCodec.header(check.dstField()))
          .writeZero(6);
    } else if (action instanceof Action.Conjunction conjunction) {
      head(out, CONJUNCTION)
          .writeByte(conjunction.clause() - 1)
          .writeByte(conjunction.of())
          .writeInt(conjunction.id());
    } else if (action instanceof Action.Controller controller) {
      writeController(out, controller);
    } else if (action instanceof Action.ClearCtState) {
      head(out, CT_CLEAR);
    } else if (action instanceof Action.Note note) {
      head(out, NOTE).writeBytes(note.text().toBytes());
    } else {
      throw new IllegalArgumentException(action + " cannot be sent");
    }
  }

  private static ByteBuf head(ByteBuf out, int subtype) {
    return out.writeShort(ActionCodec.EXPERIMENTER)
        .writeShort(0)
        .writeInt(Wire.NICIRA)
        .writeShort(subtype);
  }

  private static void writeCt(ByteBuf out, Action.ConnTrack ct) {
    int flags =
        switch (ct.mode()) {
          case TRACK -> 0;
          case COMMIT -> CT_COMMIT;
          case FORCE_COMMIT -> CT_COMMIT | CT_FORCE;
        };
    head(out, CT).writeShort(flags);
    if (ct.zone() instanceof Action.ConnTrack.Zone.Of of) {
      out.writeInt(OxmCodec.header(of.field())).writeShort(run(of.ofs(), of.bits()));
    } else if (ct.zone() instanceof Action.ConnTrack.Zone.Fixed fixed) {
      out.writeInt(0).writeShort(fixed.zone());
    }
    out.writeByte(ct.recircTable()).writeZero(3).writeShort(0);
    ActionCodec.writeList(out, ct.nested());
  }

  private static void writeController(ByteBuf out, Action.Controller controller) {
    head(out, CONTROLLER2).writeZero(6);
    if (controller.maxLen() != ALL_BYTES) {
      out.writeShort(0).writeShort(6).writeShort(controller.maxLen()).writeShort(0);
    }
    if (controller.reason() != REASON_ACTION) {
      out.writeShort(2).writeShort(5).writeByte(controller.reason()).writeZero(3);
    }
    if (!controller.userdata().isEmpty()) {
      int start = out.writerIndex();
      out.writeShort(3).writeShort(4 + controller.userdata().size());
      out.writeBytes(controller.userdata().toBytes());
      Wire.pad(out, start);
    }
    if (controller.meter() != 0) {
      out.writeShort(5).writeShort(8).writeInt(controller.meter());
    }
  }

  /** Reads what follows type and length. */
  static Action read(ByteBuf in, int depth) throws UnreadableException {
    int start = in.readerIndex();
    if (in.readInt() != Wire.NICIRA) {
      return new Action.Foreign("experimenter", ActionCodec.rest(in.readerIndex(start)));
    }
    Wire.need(in, 2);
    int subtype = in.readUnsignedShort();
    if (subtype == NOTE) {
      return new Action.Note(ActionCodec.rest(in));
    }
    Wire.need(in, 6);
    return switch (subtype) {
      case REG_MOVE -> readMove(in);
      case REG_LOAD -> readLoad(in);
      case REG_LOAD2 -> {
        OxmCodec.Oxm oxm = OxmCodec.read(in.skipBytes(6));
        yield new Action.SetField(oxm.field(), oxm.value(), oxm.mask());
      }
      case RESUBMIT_TABLE -> readResubmit(in, start);
      case OUTPUT_REG -> {
        int run = in.readUnsignedShort();
        yield new Action.OutputReg(OxmCodec.readField(in), run >>> 6, (run & 0x3f) + 1);
      }
      case CONTROLLER -> readOldController(in, start);
      case CONTROLLER2 -> readController(in.skipBytes(6), start);
      case CONJUNCTION -> {
        int clause = in.readUnsignedByte() + 1;
        int of = in.readUnsignedByte();
        yield new Action.Conjunction(in.readInt(), clause, of);
      }
      case CT -> readCt(in, start, depth);
      case CT_CLEAR -> Actions.ctClear();
      case CHECK_PKT_LARGER -> {
        int bytes = in.readUnsignedShort();
        int bit = in.readUnsignedShort();
        yield new Action.CheckPktLarger(bytes, OxmCodec.readField(in), bit);
      }
      default -> foreign(in, start);
    };
  }

  private static Action foreign(ByteBuf in, int start) {
    return new Action.Foreign("nicira", ActionCodec.rest(in.readerIndex(start)));
  }

  private static Action readMove(ByteBuf in) throws UnreadableException {
    int bits = in.readUnsignedShort();
    int srcOfs = in.readUnsignedShort();
    int dstOfs = in.readUnsignedShort();
    return new Action.Move(OxmCodec.readField(in), srcOfs, OxmCodec.readField(in), dstOfs, bits);
  }

  private static Action readLoad(ByteBuf in) throws UnreadableException {
    int run = in.readUnsignedShort();
    Field field = OxmCodec.readField(in);
    Wire.need(in, 8);
    int ofs = run >>> 6;
    Bits mask = Bits.ones((run & 0x3f) + 1).shiftLeft(ofs);
    return new Action.SetField(field, Bits.of(in.readLong()).shiftLeft(ofs), mask);
  }

  private static Action readResubmit(ByteBuf in, int start) {
    int port = in.readUnsignedShort();
    int table = in.readUnsignedByte();
    return port == CURRENT_PORT && table <= Flow.MAX_TABLE
        ? Actions.resubmit(table)
        : foreign(in, start);
  }

  private static Action readOldController(ByteBuf in, int start) {
    int maxLen = in.readUnsignedShort();
    int controller = in.readUnsignedShort();
    int reason = in.readUnsignedByte();
    return controller == 0
        ? new Action.Controller(maxLen, reason, 0, Octets.EMPTY)
        : foreign(in, start);
  }

  private static Action readController(ByteBuf in, int start) throws UnreadableException {
    int maxLen = ALL_BYTES;
    int reason = REASON_ACTION;
    int meter = 0;
    Octets userdata = Octets.EMPTY;
    while (in.readableBytes() >= 8) {
      int type = in.getUnsignedShort(in.readerIndex());
      int length = in.getUnsignedShort(in.readerIndex() + 2);
      ByteBuf property = Wire.take(in, length);
      Wire.need(property, 4);
      property.skipBytes(4);
      switch (type) {
        case 0 -> maxLen = (int) number(property, 2);
        case 2 -> reason = (int) number(property, 1);
        case 3 -> userdata = ActionCodec.rest(property);
        case 5 -> meter = (int) number(property, 4);
        default -> {
          return foreign(in, start);
        }
      }
    }
    return new Action.Controller(maxLen, reason, meter, userdata);
  }

  private static long number(ByteBuf in, int bytes) throws UnreadableException {
    Wire.need(in, bytes);
    return switch (bytes) {
      case 1 -> in.readUnsignedByte();
      case 2 -> in.readUnsignedShort();
      default -> in.readUnsignedInt();
    };
  }

  private static Action readCt(ByteBuf in, int start, int depth) throws UnreadableException {
    Wire.need(in, 14);
    int flags = in.readUnsignedShort();
    int source = in.readInt();
    int zone = in.readUnsignedShort();
    int table = in.readUnsignedByte();
    int alg = in.skipBytes(3).readUnsignedShort();
    List<Action> nested = new ArrayList<>();
    ActionCodec.readList(in, nested, depth + 1);
    boolean known =
        nested.stream().allMatch(a -> a instanceof Action.SetField || a instanceof Action.Move);
    if (alg != 0 || !known) {
      return foreign(in, start);
    }
    return new Action.ConnTrack(mode(flags), zone(source, zone), table, nested);
  }

  private static Action.ConnTrack.Mode mode(int flags) throws UnreadableException {
    return switch (flags) {
      case 0 -> Action.ConnTrack.Mode.TRACK;
      case CT_COMMIT -> Action.ConnTrack.Mode.COMMIT;
      case CT_COMMIT | CT_FORCE -> Action.ConnTrack.Mode.FORCE_COMMIT;
      default -> throw new UnreadableException("ct with flags " + flags);
    };
  }

  private static Action.ConnTrack.Zone zone(int source, int zone) throws UnreadableException {
    return source == 0
        ? new Action.ConnTrack.Zone.Fixed(zone)
        : new Action.ConnTrack.Zone.Of(OxmCodec.field(source), zone >>> 6, (zone & 0x3f) + 1);
  }

  /** An offset and a number of bits in 16 bits. */
  private static int run(int ofs, int bits) {
    return ofs << 6 | (bits - 1);
  }
}
