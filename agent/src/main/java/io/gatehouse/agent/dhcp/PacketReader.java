package io.gatehouse.agent.dhcp;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.Arrays;

/** Reads a run of bytes from its start to its end, and never past it. */
final class PacketReader {
  private static final int V4_BYTES = 4;
  private static final int V6_BYTES = 16;
  private static final int MAC_BYTES = 6;

  private final byte[] bytes;
  private final int end;
  private int at;

  PacketReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private PacketReader(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  int remaining() {
    return end - at;
  }

  int u8() throws MalformedPacketException {
    need(1);
    return bytes[at++] & 0xff;
  }

  int u16() throws MalformedPacketException {
    return u8() << 8 | u8();
  }

  long u32() throws MalformedPacketException {
    return (long) u16() << 16 | u16();
  }

  byte[] take(int count) throws MalformedPacketException {
    need(count);
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  PacketReader skip(int count) throws MalformedPacketException {
    need(count);
    at += count;
    return this;
  }

  /** The next bytes, as a run of their own. */
  PacketReader part(int count) throws MalformedPacketException {
    need(count);
    at += count;
    return new PacketReader(bytes, at - count, at);
  }

  byte[] rest() throws MalformedPacketException {
    return take(remaining());
  }

  MacAddress mac() throws MalformedPacketException {
    need(MAC_BYTES);
    return new MacAddress((long) u16() << 32 | u32());
  }

  IpAddress ipv4() throws MalformedPacketException {
    return IpAddress.ofBytes(take(V4_BYTES));
  }

  IpAddress ipv6() throws MalformedPacketException {
    return IpAddress.ofBytes(take(V6_BYTES));
  }

  private void need(int count) throws MalformedPacketException {
    if (count < 0 || count > end - at) {
      throw new MalformedPacketException(count + " bytes are needed, " + (end - at) + " are left");
    }
  }
}
