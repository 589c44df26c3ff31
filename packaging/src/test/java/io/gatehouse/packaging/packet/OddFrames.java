package io.gatehouse.packaging.packet;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.packaging.packet.Frames.Ends;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Frames put together from their parts, in whatever order and however wrong. */
public final class OddFrames {
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int UDP = 17;
  private static final int MAC_BYTES = 12;
  private static final int DISCARD_PORT = 9;

  private OddFrames() {}

  /** The parts one after the other. */
  public static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer whole = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      whole.put(part);
    }
    return whole.array();
  }

  /** Bytes in hexadecimal; spaces are for the reader. */
  public static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** A frame of any type. */
  public static byte[] ethernet(Ends ends, int type, byte[]... parts) {
    byte[] header =
        ByteBuffer.allocate(MAC_BYTES + 2)
            .put(ends.target().toBytes())
            .put(ends.source().toBytes())
            .putShort((short) type)
            .array();
    return join(header, join(parts));
  }

  /** The frame with tags, such as "8100 0064", behind its addresses. */
  public static byte[] tagged(byte[] frame, String tags) {
    byte[] addresses = Arrays.copyOf(frame, MAC_BYTES);
    byte[] rest = Arrays.copyOfRange(frame, MAC_BYTES, frame.length);
    return join(addresses, hex(tags), rest);
  }

  /**
   * An IPv4 packet.
   *
   * @param fragment flags and offset
   * @param options a multiple of 4 bytes
   */
  public static byte[] ipv4(Ends ends, String path, int fragment, byte[] options, byte[] payload) {
    String[] addresses = path.split(" ", -1);
    int header = 20 + options.length;
    ByteBuffer packet = ByteBuffer.allocate(header);
    packet
        .put((byte) (0x40 | header / 4))
        .put((byte) 0)
        .putShort((short) (header + payload.length));
    packet.putShort((short) 7).putShort((short) fragment).put((byte) 64).put((byte) UDP);
    packet.putShort((short) 0).put(IpAddress.parse(addresses[0]).toBytes());
    packet.put(IpAddress.parse(addresses[1]).toBytes()).put(options);
    int sum = 0;
    for (int at = 0; at < header; at += 2) {
      sum += packet.getShort(at) & 0xffff;
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    packet.putShort(10, (short) ~((sum & 0xffff) + (sum >>> 16)));
    return ethernet(ends, IPV4, packet.array(), payload);
  }

  /** An IPv6 packet from one address to another: "fd00::1 fd00::2". */
  public static byte[] ipv6(Ends ends, String path, int nextHeader, byte[]... parts) {
    String[] addresses = path.split(" ", -1);
    byte[] payload = join(parts);
    ByteBuffer header = ByteBuffer.allocate(40);
    header.putInt(0x60000000).putShort((short) payload.length);
    header.put((byte) nextHeader).put((byte) 255);
    header.put(IpAddress.parse(addresses[0]).toBytes());
    header.put(IpAddress.parse(addresses[1]).toBytes());
    return ethernet(ends, IPV6, header.array(), payload);
  }

  /** A UDP datagram to the discard port, without a checksum. */
  public static byte[] udp(int from, byte[] payload) {
    return ByteBuffer.allocate(8 + payload.length)
        .putShort((short) from)
        .putShort((short) DISCARD_PORT)
        .putShort((short) (8 + payload.length))
        .putShort((short) 0)
        .put(payload)
        .array();
  }

  /** Hop-by-hop or destination options with nothing but padding. */
  public static byte[] options(int nextHeader) {
    return new byte[] {(byte) nextHeader, 0, 1, 4, 0, 0, 0, 0};
  }

  /**
   * A fragment header.
   *
   * @param offsetAndFlags offset in units of 8 bytes, times 8; 1 for "more follows"
   */
  public static byte[] fragment(int nextHeader, int offsetAndFlags) {
    return ByteBuffer.allocate(8)
        .put((byte) nextHeader)
        .put((byte) 0)
        .putShort((short) offsetAndFlags)
        .putInt(7)
        .array();
  }
}
