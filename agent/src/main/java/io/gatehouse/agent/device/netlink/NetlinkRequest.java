package io.gatehouse.agent.device.netlink;

import java.nio.ByteBuffer;

/**
 * One request to rtnetlink.
 *
 * @param type of the message, RTM_*
 * @param flags NLM_F_*
 * @param body what follows the message's header
 * @param what was asked, in words, for the error that names it
 */
record NetlinkRequest(int type, int flags, ByteBuffer body, String what) {
  static final int FLAG_REQUEST = 0x1;
  static final int FLAG_ACK = 0x4;
  static final int FLAG_DUMP = 0x300;
  static final int FLAG_REPLACE = 0x100;
  static final int FLAG_CREATE = 0x400;
}
