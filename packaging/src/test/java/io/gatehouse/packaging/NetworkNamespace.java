package io.gatehouse.packaging;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A named network namespace of {@code ip netns}, and sockets inside it. A socket belongs for ever
 * to the namespace in which its thread was when it made the socket; any thread can use it then. So
 * no process has to run inside.
 *
 * @param name as {@code ip netns list} shows it
 */
public record NetworkNamespace(String name) {
  /** Opens a datagram socket inside, bound to a free port of every address. */
  public DatagramChannel openDatagramChannel(ProtocolFamily family) {
    return inside(() -> DatagramChannel.open(family).bind(new InetSocketAddress(0)));
  }

  /** Runs something on a thread of its own that has moved into the namespace and ends after it. */
  public <T> T inside(Callable<T> work) {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              enter();
              return work.call();
            });
    new Thread(task, "netns-" + name).start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new UncheckedIOException(new IOException("in namespace " + name, e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void enter() {
    int fd = LibC.open("/run/netns/" + name, LibC.O_RDONLY_CLOEXEC);
    try {
      LibC.setns(fd, LibC.CLONE_NEWNET);
    } finally {
      LibC.close(fd);
    }
  }

  /** The C library's calls that Java has no words for. */
  private static final class LibC {
    static final int O_RDONLY_CLOEXEC = 0x80000;
    static final int CLONE_NEWNET = 0x40000000;

    static {
      Native.register(LibC.class, "c");
    }

    private LibC() {}

    static native int open(String path, int flags) throws LastErrorException;

    static native int setns(int fd, int kind) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;
  }
}
