package io.gatehouse.agent.device.unixctl;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A unix stream socket whose reads and writes end at a deadline of the monotonic clock. */
final class TimedSocket implements AutoCloseable {
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;

  private TimedSocket(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.selector = selector;
    channel.configureBlocking(false);
    this.key = channel.register(selector, 0);
  }

  static TimedSocket connect(Path path, long deadlineNanos)
      throws IOException, InterruptedException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    Selector selector = null;
    try {
      selector = Selector.open();
      TimedSocket socket = new TimedSocket(channel, selector);
      if (!channel.connect(UnixDomainSocketAddress.of(path))) {
        socket.await(SelectionKey.OP_CONNECT, deadlineNanos);
        channel.finishConnect();
      }
      return socket;
    } catch (IOException | InterruptedException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  void write(ByteBuffer bytes, long deadlineNanos) throws IOException, InterruptedException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        await(SelectionKey.OP_WRITE, deadlineNanos);
      }
    }
  }

  /** Reads at least one byte. */
  void read(ByteBuffer into, long deadlineNanos) throws IOException, InterruptedException {
    int count = channel.read(into);
    while (count == 0) {
      await(SelectionKey.OP_READ, deadlineNanos);
      count = channel.read(into);
    }
    if (count < 0) {
      throw new IOException("the connection was closed");
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
      selector.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  private void await(int operation, long deadlineNanos) throws IOException, InterruptedException {
    key.interestOps(operation);
    while (true) {
      long left = deadlineNanos - System.nanoTime();
      if (left <= 0) {
        throw new IOException("no answer in time");
      }
      // Rounded up: 0 would wait for ever.
      selector.select(left / 1_000_000 + 1);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!selector.selectedKeys().isEmpty()) {
        selector.selectedKeys().clear();
        return;
      }
    }
  }
}
