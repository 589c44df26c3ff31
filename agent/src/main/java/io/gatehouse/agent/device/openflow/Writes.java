package io.gatehouse.agent.device.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Hands buffers to a channel. */
final class Writes {
  private Writes() {}

  /** Sends at once; a failure reaches the pipeline's {@code exceptionCaught}. */
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise has nothing to wait for
  static void flush(Channel channel, ByteBuf out) {
    channel.writeAndFlush(out, channel.voidPromise());
  }

  /** Closes; the end reaches {@code channelInactive}. */
  @SuppressWarnings("FutureReturnValueIgnored") // closing cannot fail in a way to act on
  static void close(Channel channel) {
    channel.close();
  }
}
