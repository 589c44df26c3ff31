package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.UnreadableException;
import io.netty.buffer.ByteBuf;

/** Collects the answer to one call. Used on the event loop only. */
interface Reply {

  /** Takes a message with the call's xid; true if it was the last one. */
  boolean accept(int type, ByteBuf body) throws UnreadableException;

  void failed(DeviceException cause);
}
