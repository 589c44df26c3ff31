package io.gatehouse.packaging.packet;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import io.gatehouse.packaging.NetworkNamespace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A raw socket on a host's link {@code eth0}: sends frames as they are given, and keeps those that
 * arrive from outside (packet(7)). One thread receives until {@link #close()}.
 */
public final class PacketSocket implements AutoCloseable {
  private static final int AF_PACKET = 17;
  private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
  private static final short ETH_P_ALL = 3;
  private static final int ADDRESS_BYTES = 20;
  private static final int TYPE_OFFSET = 10;
  private static final byte PACKET_OUTGOING = 4;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final int EAGAIN = 11;
  private static final int MAX_KEPT = 100_000;

  private final int fd;
  private final Thread receiving = new Thread(this::receive, "packet-socket");
  private final List<byte[]> received = new ArrayList<>(); // guarded by itself
  private volatile boolean closed;

  private PacketSocket(int fd) {
    this.fd = fd;
  }

  /** Opens a socket on {@code eth0} of a host's namespace. */
  public static PacketSocket open(NetworkNamespace host) {
    PacketSocket socket = new PacketSocket(host.inside(() -> socket("eth0")));
    socket.receiving.start();
    return socket;
  }

  private static int socket(String link) {
    int fd = LibC.socket(AF_PACKET, SOCK_RAW_CLOEXEC, Short.reverseBytes(ETH_P_ALL) & 0xffff);
    ByteBuffer address = ByteBuffer.allocateDirect(ADDRESS_BYTES).order(ByteOrder.nativeOrder());
    address.putShort((short) AF_PACKET).putShort(Short.reverseBytes(ETH_P_ALL));
    address.putInt(LibC.if_nametoindex(link)).rewind();
    LibC.bind(fd, address, ADDRESS_BYTES);
    // So that the receiving thread looks now and then whether it is still wanted.
    ByteBuffer timeout = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
    timeout.putLong(0).putLong(100_000).rewind();
    LibC.setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, timeout, 16);
    return fd;
  }

  /** Puts a frame on the link. */
  public void send(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(frame.length).put(frame).rewind();
    LibC.send(fd, bytes, frame.length, 0);
  }

  /** How many frames have arrived that carry the mark. */
  public long count(Mark mark) {
    synchronized (received) {
      return received.stream().filter(mark::isIn).count();
    }
  }

  /**
   * Lets {@code again} run every 50 ms until a frame with the mark has arrived; fails after the
   * limit. The first packet over a tunnel may be lost, so one alone proves nothing.
   */
  public void await(Mark mark, Runnable again, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (received) {
      while (received.stream().noneMatch(mark::isIn)) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("no frame " + mark + " within " + limit);
        }
        again.run();
        try {
          received.wait(50);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new AssertionError("interrupted", e);
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      receiving.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return; // the receiving thread may still use the descriptor
    }
    LibC.close(fd);
  }

  private void receive() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(65_536);
    ByteBuffer from = ByteBuffer.allocateDirect(ADDRESS_BYTES);
    ByteBuffer length = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
    while (!closed) {
      try {
        length.putInt(0, ADDRESS_BYTES);
        int size = (int) LibC.recvfrom(fd, bytes, bytes.capacity(), 0, from, length);
        if (from.get(TYPE_OFFSET) != PACKET_OUTGOING) {
          byte[] frame = new byte[size];
          bytes.get(0, frame);
          keep(frame);
        }
      } catch (LastErrorException e) {
        if (e.getErrorCode() != EAGAIN) {
          throw e;
        }
      }
    }
  }

  private void keep(byte[] frame) {
    synchronized (received) {
      if (received.size() < MAX_KEPT) {
        received.add(frame);
      }
      received.notifyAll();
    }
  }

  /** The C library's calls that Java has no words for. */
  private static final class LibC {
    static {
      Native.register(LibC.class, "c");
    }

    private LibC() {}

    static native int socket(int domain, int type, int protocol) throws LastErrorException;

    static native int bind(int fd, ByteBuffer address, int length) throws LastErrorException;

    static native int setsockopt(int fd, int level, int name, ByteBuffer value, int length)
        throws LastErrorException;

    static native long send(int fd, ByteBuffer bytes, long length, int flags)
        throws LastErrorException;

    static native long recvfrom(
        int fd, ByteBuffer bytes, long length, int flags, ByteBuffer from, ByteBuffer fromLength)
        throws LastErrorException;

    static native int if_nametoindex(String name) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;
  }
}
