package io.gatehouse.agent.device.openflow.codec;

import io.netty.buffer.ByteBuf;

/** Numbers and framing of OpenFlow 1.5.1 (§7.1, §7.2, §7.3). */
public final class Wire {
  /** OpenFlow 1.5. */
  public static final int VERSION = 6;

  public static final int HEADER_BYTES = 8;
  public static final int MAX_MESSAGE_BYTES = 0xffff;

  public static final int HELLO = 0;
  public static final int ERROR = 1;
  public static final int ECHO_REQUEST = 2;
  public static final int ECHO_REPLY = 3;
  public static final int EXPERIMENTER = 4;
  public static final int FEATURES_REQUEST = 5;
  public static final int FEATURES_REPLY = 6;
  public static final int PORT_STATUS = 12;
  public static final int FLOW_MOD = 14;
  public static final int MULTIPART_REQUEST = 18;
  public static final int MULTIPART_REPLY = 19;
  public static final int BARRIER_REQUEST = 20;
  public static final int BARRIER_REPLY = 21;
  public static final int SET_ASYNC = 28;
  public static final int BUNDLE_CONTROL = 33;
  public static final int BUNDLE_ADD_MESSAGE = 34;

  public static final int MULTIPART_FLOW_DESC = 1;
  public static final int MULTIPART_AGGREGATE = 2;
  public static final int MULTIPART_PORT_DESC = 13;
  public static final int MULTIPART_FLOW_MONITOR = 16;

  /** The experimenter id of Nicira, whose extensions Open vSwitch speaks. */
  static final int NICIRA = 0x2320;

  static final int ANY = 0xffff_ffff;
  static final int NO_BUFFER = 0xffff_ffff;
  static final int MULTIPART_MORE = 1;

  private Wire() {}

  /** Starts a message; {@link #end} writes its length. */
  static int begin(ByteBuf out, int type, int xid) {
    int start = out.writerIndex();
    out.writeByte(VERSION).writeByte(type).writeShort(0).writeInt(xid);
    return start;
  }

  static void end(ByteBuf out, int start) {
    int length = out.writerIndex() - start;
    if (length > MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException("a message of " + length + " bytes");
    }
    out.setShort(start + 2, length);
  }

  /** Fills up to a multiple of 8 bytes after {@code start}. */
  static void pad(ByteBuf out, int start) {
    out.writeZero(-(out.writerIndex() - start) & 7);
  }

  static int padded(int length) {
    return (length + 7) & ~7;
  }

  /** The next {@code length} bytes; skips the filling behind them. */
  static ByteBuf take(ByteBuf in, int length) throws UnreadableException {
    if (length < 0 || padded(length) > in.readableBytes()) {
      throw new UnreadableException(
          "a part of " + length + " bytes where " + in.readableBytes() + " are left");
    }
    ByteBuf part = in.readSlice(length);
    in.skipBytes(padded(length) - length);
    return part;
  }

  /** Checks that so many bytes are there before they are read. */
  static void need(ByteBuf in, int length) throws UnreadableException {
    if (in.readableBytes() < length) {
      throw new UnreadableException(
          length + " bytes are needed where " + in.readableBytes() + " are left");
    }
  }
}
