package io.gatehouse.agent.device.netlink;

import java.nio.ByteBuffer;

/**
 * One message of a datagram (struct nlmsghdr of linux/netlink.h, host byte order).
 *
 * @param payload what follows the header; a view of the datagram, valid until the next one is read
 */
public record NetlinkMessage(int type, int flags, int sequence, ByteBuffer payload) {
  static final int HEADER_BYTES = 16;

  static final int NOOP = 1;
  static final int ERROR = 2;
  static final int DONE = 3;
  static final int OVERRUN = 4;

  /** The dump went over something that changed meanwhile, and may be inconsistent. */
  static final int FLAG_DUMP_INTERRUPTED = 0x10;

  /** In an error: the request is not repeated behind its header. */
  static final int FLAG_CAPPED = 0x100;

  /** In an error: attributes follow that explain it. */
  static final int FLAG_ACK_ATTRIBUTES = 0x200;

  boolean isInterrupted() {
    return (flags & FLAG_DUMP_INTERRUPTED) != 0;
  }
}
