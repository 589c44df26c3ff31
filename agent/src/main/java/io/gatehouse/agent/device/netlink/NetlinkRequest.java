package io.gatehouse.agent.device.netlink;

import java.nio.ByteBuffer;

/**
 * One request to the kernel.
 *
 * @param type of the message, such as RTM_*
 * @param flags NLM_F_*
 * @param body what follows the message's header
 * @param what was asked, in words, for the error that names it
 */
public record NetlinkRequest(int type, int flags, ByteBuffer body, String what) {
  public static final int FLAG_REQUEST = 0x1;
  public static final int FLAG_ACK = 0x4;
  public static final int FLAG_DUMP = 0x300;
  public static final int FLAG_REPLACE = 0x100;
  public static final int FLAG_CREATE = 0x400;

  /** The same, and the kernel is to say that it was done. */
  public NetlinkRequest acknowledged() {
    return new NetlinkRequest(type, flags | FLAG_ACK, body, what);
  }
}
