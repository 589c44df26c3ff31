package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a message by type (struct nlattr of linux/netlink.h). Of a type that is there
 * twice the last one counts. Lengths are checked, also of the values that are asked for.
 */
public final class NetlinkAttributes {
  private static final int HEADER_BYTES = 4;
  private static final int TYPE_MASK = 0x3fff;

  private final Map<Integer, ByteBuffer> values;

  private NetlinkAttributes(Map<Integer, ByteBuffer> values) {
    this.values = values;
  }

  /** Reads from the buffer's position to its limit. */
  public static NetlinkAttributes parse(ByteBuffer bytes) throws DeviceException {
    Map<Integer, ByteBuffer> values = new HashMap<>();
    ByteBuffer rest = NetlinkCodec.view(bytes);
    while (rest.remaining() >= HEADER_BYTES) {
      int length = Short.toUnsignedInt(rest.getShort(rest.position()));
      int type = rest.getShort(rest.position() + 2) & TYPE_MASK;
      if (length < HEADER_BYTES || length > rest.remaining()) {
        throw malformed("attribute " + type, length, rest.remaining());
      }
      values.put(
          type, NetlinkCodec.slice(rest, rest.position() + HEADER_BYTES, length - HEADER_BYTES));
      NetlinkCodec.skip(rest, length);
    }
    if (rest.hasRemaining()) {
      throw malformed("attribute header", HEADER_BYTES, rest.remaining());
    }
    return new NetlinkAttributes(values);
  }

  public boolean has(int type) {
    return values.containsKey(type);
  }

  /** The attribute's bytes, or null if it is absent. */
  @Nullable ByteBuffer find(int type) {
    return values.get(type);
  }

  /** An unsigned byte or a host-order 32-bit number, or the fallback if the attribute is absent. */
  int number(int type, int fallback) throws DeviceException {
    ByteBuffer value = values.get(type);
    if (value == null) {
      return fallback;
    }
    return switch (value.remaining()) {
      case 1 -> Byte.toUnsignedInt(value.get(value.position()));
      case 4 -> value.getInt(value.position());
      default -> throw malformed("number in attribute " + type, 4, value.remaining());
    };
  }

  /** A 32-bit number in network order, or the fallback if the attribute is absent. */
  public int networkNumber(int type, int fallback) throws DeviceException {
    ByteBuffer value = values.get(type);
    if (value == null) {
      return fallback;
    }
    if (value.remaining() != 4) {
      throw malformed("number in attribute " + type, 4, value.remaining());
    }
    return value.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(value.position());
  }

  /** Text up to its NUL, or null if the attribute is absent. */
  public @Nullable String text(int type) {
    byte[] bytes = bytes(type);
    if (bytes == null) {
      return null;
    }
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /** The bytes in hexadecimal, or null if the attribute is absent. */
  @Nullable String hex(int type) {
    byte[] bytes = bytes(type);
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }

  byte @Nullable [] bytes(int type) {
    ByteBuffer value = values.get(type);
    return value == null ? null : NetlinkCodec.copy(value);
  }

  /** The attributes inside an attribute; none if it is absent. */
  public NetlinkAttributes nested(int type) throws DeviceException {
    ByteBuffer value = values.get(type);
    return value == null ? new NetlinkAttributes(Map.of()) : parse(value);
  }

  /** Appends an attribute with its padding; the buffer is in host order. */
  public static void put(ByteBuffer body, int type, ByteBuffer value) {
    int length = HEADER_BYTES + value.remaining();
    body.putShort((short) length).putShort((short) type).put(value);
    while (body.position() % HEADER_BYTES != 0) {
      body.put((byte) 0);
    }
  }

  static DeviceException malformed(String what, int claimed, int available) {
    return new DeviceException(
        Kind.PROTOCOL,
        "netlink: " + what + " of " + claimed + " bytes, " + available + " are there");
  }
}
