package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.DeviceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams to messages and back (linux/netlink.h), and the kernel's answer to a request. Pure;
 * numbers are in host byte order. What is not well-formed is a {@link DeviceException} of kind
 * PROTOCOL.
 */
final class NetlinkCodec {
  private static final int ALIGNMENT = 4;
  private static final int ERROR_BYTES = 4;
  private static final int ERROR_TEXT = 1;
  private static final int MAX_TEXT_CHARACTERS = 200;

  private NetlinkCodec() {}

  /**
   * What the kernel said to a request.
   *
   * @param errno 0 if it was done
   * @param text the kernel's explanation, if it gave one
   */
  record Answer(int errno, @Nullable String text) {}

  /** Splits a datagram, from its position to its limit. */
  static List<NetlinkMessage> messages(ByteBuffer datagram) throws DeviceException {
    List<NetlinkMessage> messages = new ArrayList<>();
    ByteBuffer rest = view(datagram);
    while (rest.hasRemaining()) {
      if (rest.remaining() < NetlinkMessage.HEADER_BYTES) {
        throw NetlinkAttributes.malformed(
            "message header", NetlinkMessage.HEADER_BYTES, rest.remaining());
      }
      int at = rest.position();
      int length = rest.getInt(at);
      if (length < NetlinkMessage.HEADER_BYTES || length > rest.remaining()) {
        throw NetlinkAttributes.malformed("message", length, rest.remaining());
      }
      ByteBuffer payload =
          slice(rest, at + NetlinkMessage.HEADER_BYTES, length - NetlinkMessage.HEADER_BYTES);
      messages.add(
          new NetlinkMessage(
              Short.toUnsignedInt(rest.getShort(at + 4)),
              Short.toUnsignedInt(rest.getShort(at + 6)),
              rest.getInt(at + 8),
              payload));
      skip(rest, length);
    }
    return messages;
  }

  /**
   * A datagram with these requests in it, numbered from a first one on. The buffer is direct, for
   * native code.
   */
  static ByteBuffer encode(List<NetlinkRequest> requests, int firstSequence) {
    int total =
        requests.stream()
            .mapToInt(one -> aligned(NetlinkMessage.HEADER_BYTES + one.body().remaining()))
            .sum();
    ByteBuffer bytes = ByteBuffer.allocateDirect(total).order(ByteOrder.nativeOrder());
    int sequence = firstSequence;
    for (NetlinkRequest request : requests) {
      int start = bytes.position();
      int length = NetlinkMessage.HEADER_BYTES + request.body().remaining();
      bytes.putInt(length).putShort((short) request.type()).putShort((short) request.flags());
      bytes.putInt(sequence++).putInt(0).put(view(request.body()));
      bytes.position(start + aligned(length));
    }
    return bytes.flip();
  }

  /** Reads NLMSG_ERROR (which is also the acknowledgement), or the end of a dump. */
  static Answer answer(NetlinkMessage message) throws DeviceException {
    ByteBuffer payload = message.payload();
    if (payload.remaining() < ERROR_BYTES) {
      throw NetlinkAttributes.malformed("answer", ERROR_BYTES, payload.remaining());
    }
    // The kernel writes -errno; what is positive is no error number of its own.
    int errno = Math.negateExact(Math.max(payload.getInt(payload.position()), -Short.MAX_VALUE));
    if (errno < 0) {
      throw NetlinkAttributes.malformed("error number " + -errno, ERROR_BYTES, ERROR_BYTES);
    }
    if ((message.flags() & NetlinkMessage.FLAG_ACK_ATTRIBUTES) == 0) {
      return new Answer(errno, null);
    }
    int skipped = ERROR_BYTES;
    if (message.type() == NetlinkMessage.ERROR) {
      skipped += repeatedRequestBytes(message);
    }
    if (skipped > payload.remaining()) {
      throw NetlinkAttributes.malformed("answer", skipped, payload.remaining());
    }
    ByteBuffer attributes =
        slice(payload, payload.position() + skipped, payload.remaining() - skipped);
    return new Answer(errno, printable(NetlinkAttributes.parse(attributes).text(ERROR_TEXT)));
  }

  private static int repeatedRequestBytes(NetlinkMessage message) throws DeviceException {
    ByteBuffer payload = message.payload();
    int header = ERROR_BYTES + NetlinkMessage.HEADER_BYTES;
    if (payload.remaining() < header) {
      throw NetlinkAttributes.malformed("answer", header, payload.remaining());
    }
    if ((message.flags() & NetlinkMessage.FLAG_CAPPED) != 0) {
      return NetlinkMessage.HEADER_BYTES;
    }
    int length = payload.getInt(payload.position() + ERROR_BYTES);
    if (length < NetlinkMessage.HEADER_BYTES || length > payload.remaining()) {
      throw NetlinkAttributes.malformed("repeated request", length, payload.remaining());
    }
    return aligned(length);
  }

  private static @Nullable String printable(@Nullable String text) {
    if (text == null) {
      return null;
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(MAX_TEXT_CHARACTERS)
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return shown.toString();
  }

  static int aligned(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** The bytes from position to limit, in host byte order; its position moves on its own. */
  static ByteBuffer view(ByteBuffer bytes) {
    return bytes.duplicate().order(ByteOrder.nativeOrder());
  }

  static ByteBuffer slice(ByteBuffer bytes, int index, int length) {
    return bytes.slice(index, length).order(ByteOrder.nativeOrder());
  }

  /** Moves over a part and its padding; the last part of a buffer may come without padding. */
  static void skip(ByteBuffer bytes, int length) {
    bytes.position(Math.min(bytes.position() + aligned(length), bytes.limit()));
  }

  static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return copy;
  }
}
