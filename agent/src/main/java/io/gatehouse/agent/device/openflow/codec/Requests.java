package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.netty.buffer.ByteBuf;

/** The messages that are sent; each method appends one to a buffer. */
public final class Requests {
  /** The steps of a bundle (OpenFlow 1.5.1 §7.3.9.2). */
  public enum BundleStep {
    OPEN(0),
    COMMIT(4),
    DISCARD(6);

    private final int type;

    BundleStep(int type) {
      this.type = type;
    }

    /** The type of the answer. */
    public int reply() {
      return type + 1;
    }
  }

  /** NXT_CT_FLUSH_ZONE of Open vSwitch's nicira-ext.h. */
  private static final int FLUSH_ZONE = 29;

  private static final int ADD = 0;
  private static final int MODIFY_STRICT = 2;
  private static final int DELETE = 3;
  private static final int DELETE_STRICT = 4;

  private static final int ATOMIC_ORDERED = 3;

  /** Added, removed, modified, with instructions; one's own changes come as a mere xid. */
  private static final int MONITOR_CHANGES = 0b1_1110;

  private static final int MONITOR_COMMAND_ADD = 0;

  private Requests() {}

  /** Offers OpenFlow 1.5 and nothing else (§7.5.1). */
  public static void hello(ByteBuf out, int xid) {
    int start = Wire.begin(out, Wire.HELLO, xid);
    out.writeShort(1).writeShort(8).writeInt(1 << Wire.VERSION);
    Wire.end(out, start);
  }

  /** A message that is only a header: echo, features, barrier. */
  public static void bare(ByteBuf out, int type, int xid) {
    Wire.end(out, Wire.begin(out, type, xid));
  }

  /** Answers an echo request with its own bytes. */
  public static void echoReply(ByteBuf out, int xid, ByteBuf payload) {
    int start = Wire.begin(out, Wire.ECHO_REPLY, xid);
    out.writeBytes(payload);
    Wire.end(out, start);
  }

  /** Asks for every change of flows that another connection makes (§7.3.5.18). */
  public static void watchFlows(ByteBuf out, int xid) {
    int start = multipart(out, Wire.MULTIPART_FLOW_MONITOR, xid);
    out.writeInt(1).writeInt(Wire.ANY).writeInt(Wire.ANY);
    out.writeShort(MONITOR_CHANGES).writeByte(FlowFilter.ALL_TABLES);
    out.writeByte(MONITOR_COMMAND_ADD);
    OxmCodec.writeMatch(out, Match.ANY);
    Wire.end(out, start);
  }

  public static void dumpPorts(ByteBuf out, int xid) {
    int start = multipart(out, Wire.MULTIPART_PORT_DESC, xid);
    out.writeInt(Wire.ANY).writeInt(0);
    Wire.end(out, start);
  }

  /** Forgets the connections of a zone; says nothing unless it fails. */
  public static void flushZone(ByteBuf out, int xid, int zone) {
    int start = Wire.begin(out, Wire.EXPERIMENTER, xid);
    out.writeInt(Wire.NICIRA).writeInt(FLUSH_ZONE).writeZero(6).writeShort(zone);
    Wire.end(out, start);
  }

  public static void dumpFlows(ByteBuf out, int xid, FlowFilter filter) {
    filtered(out, Wire.MULTIPART_FLOW_DESC, xid, filter);
  }

  public static void aggregate(ByteBuf out, int xid, FlowFilter filter) {
    filtered(out, Wire.MULTIPART_AGGREGATE, xid, filter);
  }

  private static void filtered(ByteBuf out, int type, int xid, FlowFilter filter) {
    int start = multipart(out, type, xid);
    out.writeByte(filter.table()).writeZero(3).writeInt(Wire.ANY).writeInt(Wire.ANY).writeInt(0);
    out.writeLong(filter.cookie()).writeLong(filter.cookieMask());
    OxmCodec.writeMatch(out, filter.match());
    Wire.end(out, start);
  }

  static int multipart(ByteBuf out, int type, int xid) {
    int start = Wire.begin(out, Wire.MULTIPART_REQUEST, xid);
    out.writeShort(type).writeShort(0).writeInt(0);
    return start;
  }

  /** A step of an atomic and ordered bundle. */
  public static void bundle(ByteBuf out, int xid, int bundle, BundleStep step) {
    int start = Wire.begin(out, Wire.BUNDLE_CONTROL, xid);
    out.writeInt(bundle).writeShort(step.type).writeShort(ATOMIC_ORDERED);
    Wire.end(out, start);
  }

  /** One change of a bundle; errors about it come back with the xid. */
  public static void bundled(ByteBuf out, int xid, int bundle, FlowMod mod) {
    int start = Wire.begin(out, Wire.BUNDLE_ADD_MESSAGE, xid);
    out.writeInt(bundle).writeShort(0).writeShort(ATOMIC_ORDERED);
    flowMod(out, xid, mod);
    Wire.end(out, start);
  }

  static void flowMod(ByteBuf out, int xid, FlowMod mod) {
    int start = Wire.begin(out, Wire.FLOW_MOD, xid);
    if (mod instanceof FlowMod.Add add) {
      write(out, ADD, add.flow().cookie(), add.flow());
    } else if (mod instanceof FlowMod.ModifyStrict modify) {
      write(out, MODIFY_STRICT, 0, modify.flow());
    } else if (mod instanceof FlowMod.DeleteStrict delete) {
      out.writeLong(0).writeLong(0);
      rest(out, delete.key().table(), DELETE_STRICT, delete.key().priority());
      OxmCodec.writeMatch(out, delete.key().match());
    } else if (mod instanceof FlowMod.DeleteByCookie delete) {
      out.writeLong(delete.cookie()).writeLong(delete.mask());
      rest(out, delete.table(), DELETE, 0);
      OxmCodec.writeMatch(out, Match.ANY);
    }
    Wire.end(out, start);
  }

  private static void write(ByteBuf out, int command, long cookie, Flow flow) {
    out.writeLong(cookie).writeLong(0);
    rest(out, flow.table(), command, flow.priority());
    OxmCodec.writeMatch(out, flow.match());
    ActionCodec.writeInstructions(out, flow.actions());
  }

  private static void rest(ByteBuf out, int table, int command, int priority) {
    out.writeByte(table).writeByte(command).writeInt(0).writeShort(priority);
    out.writeInt(Wire.NO_BUFFER).writeInt(Wire.ANY).writeInt(Wire.ANY).writeInt(0);
  }
}
