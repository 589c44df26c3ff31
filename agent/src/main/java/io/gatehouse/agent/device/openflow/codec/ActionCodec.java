package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Octets;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** Lists of actions and instructions (OpenFlow 1.5.1 §7.2.4, §7.2.6). */
final class ActionCodec {
  static final int EXPERIMENTER = 0xffff;

  private static final int OUTPUT = 0;
  private static final int PUSH_VLAN = 17;
  private static final int POP_VLAN = 18;
  private static final int GROUP = 22;
  private static final int DEC_NW_TTL = 24;
  private static final int SET_FIELD = 25;
  private static final int COPY_FIELD = 28;
  private static final int METER = 29;

  private static final int APPLY_ACTIONS = 4;
  private static final int MAX_DEPTH = 1;

  private ActionCodec() {}

  /** No instruction at all for a drop: Open vSwitch reads it back so. */
  static void writeInstructions(ByteBuf out, List<Action> actions) {
    if (actions.isEmpty()) {
      return;
    }
    int start = out.writerIndex();
    out.writeShort(APPLY_ACTIONS).writeShort(0).writeInt(0);
    writeList(out, actions);
    out.setShort(start + 2, out.writerIndex() - start);
  }

  static List<Action> readInstructions(ByteBuf in) throws UnreadableException {
    List<Action> actions = new ArrayList<>();
    while (in.isReadable()) {
      ByteBuf instruction = tlv(in);
      int type = instruction.getUnsignedShort(instruction.readerIndex());
      if (type == APPLY_ACTIONS) {
        readList(instruction.skipBytes(8), actions, 0);
        continue;
      }
      actions.add(new Action.Foreign("instruction" + type, rest(instruction)));
    }
    return actions;
  }

  static void writeList(ByteBuf out, List<Action> actions) {
    for (Action action : actions) {
      int start = out.writerIndex();
      write(out, action);
      Wire.pad(out, start);
      out.setShort(start + 2, out.writerIndex() - start);
    }
  }

  /**
   * @param depth how many actions lie around the list; bounded, so that no message can exhaust the
   *     stack
   */
  static void readList(ByteBuf in, List<Action> actions, int depth) throws UnreadableException {
    if (depth > MAX_DEPTH) {
      throw new UnreadableException("actions in actions in actions");
    }
    while (in.isReadable()) {
      actions.add(read(tlv(in), depth));
    }
  }

  private static void write(ByteBuf out, Action action) {
    if (action instanceof Action.SetField set) {
      OxmCodec.write(type(out, SET_FIELD), set.field(), set.value(), set.mask());
    } else if (action instanceof Action.Output output) {
      writeOutput(out, output.port());
    } else if (action instanceof Action.OutputInPort) {
      writeOutput(out, Actions.IN_PORT);
    } else if (action instanceof Action.Move move) {
      writeMove(out, move);
    } else if (action instanceof Action.Meter meter) {
      type(out, METER).writeInt(meter.id());
    } else if (action instanceof Action.Group group) {
      type(out, GROUP).writeInt(group.id());
    } else if (action instanceof Action.PushVlan push) {
      type(out, PUSH_VLAN).writeShort(push.ethType()).writeShort(0);
    } else if (action instanceof Action.PopVlan) {
      type(out, POP_VLAN).writeInt(0);
    } else if (action instanceof Action.DecTtl) {
      type(out, DEC_NW_TTL).writeInt(0);
    } else {
      NiciraActionCodec.write(out, action);
    }
  }

  private static ByteBuf type(ByteBuf out, int type) {
    return out.writeShort(type).writeShort(0);
  }

  private static void writeOutput(ByteBuf out, int port) {
    type(out, OUTPUT).writeInt(port).writeShort(0).writeZero(6);
  }

  private static void writeMove(ByteBuf out, Action.Move move) {
    type(out, COPY_FIELD)
        .writeShort(move.bits())
        .writeShort(move.srcOfs())
        .writeShort(move.dstOfs())
        .writeShort(0)
        .writeInt(OxmCodec.header(move.srcField()))
        .writeInt(OxmCodec.header(move.dstField()));
  }

  private static Action read(ByteBuf in, int depth) throws UnreadableException {
    int start = in.readerIndex();
    int type = in.readUnsignedShort();
    in.skipBytes(2);
    return switch (type) {
      case OUTPUT -> readOutput(in);
      case SET_FIELD -> {
        OxmCodec.Oxm oxm = OxmCodec.read(in);
        yield new Action.SetField(oxm.field(), oxm.value(), oxm.mask());
      }
      case COPY_FIELD -> readMove(in);
      case METER -> Actions.meter(in.readInt());
      case GROUP -> Actions.group(in.readInt());
      case PUSH_VLAN -> Actions.pushVlan(in.readUnsignedShort());
      case POP_VLAN -> Actions.popVlan();
      case DEC_NW_TTL -> Actions.decTtl();
      case EXPERIMENTER -> NiciraActionCodec.read(in, depth);
      default -> new Action.Foreign("action" + type, rest(in.readerIndex(start)));
    };
  }

  private static Action readOutput(ByteBuf in) throws UnreadableException {
    Wire.need(in, 6);
    int port = in.readInt();
    int maxLen = in.readUnsignedShort();
    return port == Actions.CONTROLLER
        ? new Action.Controller(maxLen, 1, 0, Octets.EMPTY)
        : Actions.output(port);
  }

  private static Action readMove(ByteBuf in) throws UnreadableException {
    Wire.need(in, 16);
    int bits = in.readUnsignedShort();
    int srcOfs = in.readUnsignedShort();
    int dstOfs = in.readUnsignedShort();
    in.skipBytes(2);
    return new Action.Move(OxmCodec.readField(in), srcOfs, OxmCodec.readField(in), dstOfs, bits);
  }

  /** An action or instruction: type, length, and a multiple of 8 bytes in all. */
  private static ByteBuf tlv(ByteBuf in) throws UnreadableException {
    Wire.need(in, 8);
    int length = in.getUnsignedShort(in.readerIndex() + 2);
    if (length < 8 || length % 8 != 0) {
      throw new UnreadableException("an action of " + length + " bytes");
    }
    return Wire.take(in, length);
  }

  static Octets rest(ByteBuf in) {
    byte[] bytes = new byte[in.readableBytes()];
    in.readBytes(bytes);
    return Octets.of(bytes);
  }
}
