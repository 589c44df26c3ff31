package io.gatehouse.agent.device.netlink;

import com.sun.jna.LastErrorException;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A netlink socket (netlink(7)) in the network namespace of the thread that opens it. Not safe for
 * several threads.
 */
final class NetlinkSocket implements AutoCloseable {
  private static final int EXTENDED_ERRORS = 11;
  private static final int CAPPED_ERRORS = 10;
  private static final int STRICT_CHECKS = 12;
  private static final int SOCKADDR_BYTES = 12;

  /** The kernel's dump datagrams are at most 32 KiB. */
  private static final int BUFFER_BYTES = 64 * 1024;

  private static final int CLOSED = -1;

  private final ByteBuffer buffer = direct(BUFFER_BYTES);
  private final ByteBuffer sender = direct(SOCKADDR_BYTES);
  private final ByteBuffer senderLength = direct(4);
  private int fd;

  private NetlinkSocket(int fd) {
    this.fd = fd;
  }

  /** Opens and binds. UNREACHABLE if the system does not allow it. */
  static NetlinkSocket open(NetlinkProtocol protocol, int groups) throws DeviceException {
    int fd;
    try {
      fd = LibC.socket(LibC.AF_NETLINK, LibC.SOCK_RAW_CLOEXEC, protocol.number());
    } catch (LastErrorException e) {
      throw failed("open a netlink socket", e);
    }
    NetlinkSocket socket = new NetlinkSocket(fd);
    try {
      ByteBuffer local = direct(SOCKADDR_BYTES);
      local.putShort((short) LibC.AF_NETLINK).putShort((short) 0).putInt(0).putInt(groups);
      LibC.bind(fd, local.flip(), SOCKADDR_BYTES);
      for (int option : new int[] {EXTENDED_ERRORS, CAPPED_ERRORS, STRICT_CHECKS}) {
        LibC.setsockopt(fd, LibC.SOL_NETLINK, option, direct(4).putInt(0, 1), 4);
      }
      return socket;
    } catch (LastErrorException e) {
      socket.close();
      throw failed("prepare a netlink socket", e);
    }
  }

  void send(ByteBuffer datagram) throws DeviceException {
    try {
      LibC.send(opened(), datagram, datagram.remaining(), 0);
    } catch (LastErrorException e) {
      throw failed("send to the kernel", e);
    }
  }

  /**
   * Waits for the kernel's next datagram, which is valid until the next call.
   *
   * @param deadlineNanos in the time of {@link System#nanoTime}
   * @return null if the kernel had to drop datagrams for this socket (ENOBUFS)
   */
  @Nullable ByteBuffer receive(long deadlineNanos) throws DeviceException {
    while (true) {
      setReceiveTimeout(deadlineNanos);
      try {
        ByteBuffer datagram = receiveOnce(0);
        if (datagram != null) {
          return datagram;
        }
      } catch (LastErrorException e) {
        if (e.getErrorCode() == Errno.ENOBUFS) {
          return null;
        }
        // A signal, or the end of the wait: the check of the deadline tells them apart.
        if (e.getErrorCode() != Errno.EINTR && e.getErrorCode() != Errno.EAGAIN) {
          throw failed("receive from the kernel", e);
        }
      }
    }
  }

  /** Waits without limit for something to read, or for the other descriptor to be readable. */
  void awaitReadable(int other) throws DeviceException {
    ByteBuffer descriptors = direct(16);
    descriptors.putInt(opened()).putShort(LibC.POLLIN).putShort((short) 0);
    descriptors.putInt(other).putShort(LibC.POLLIN).putShort((short) 0);
    try {
      LibC.poll(descriptors.flip(), 2, -1);
    } catch (LastErrorException e) {
      if (e.getErrorCode() != Errno.EINTR) {
        throw failed("wait for the kernel", e);
      }
    }
  }

  /**
   * Throws away what is there to read, up to a number of datagrams.
   *
   * @return how many; a loss that the kernel reports counts as one
   */
  int drain(int limit) throws DeviceException {
    int count = 0;
    while (count < limit) {
      try {
        receiveOnce(LibC.MSG_DONTWAIT);
        count++;
      } catch (LastErrorException e) {
        if (e.getErrorCode() == Errno.EAGAIN) {
          return count;
        }
        if (e.getErrorCode() == Errno.ENOBUFS) {
          count++;
        } else if (e.getErrorCode() != Errno.EINTR) {
          throw failed("receive from the kernel", e);
        }
      }
    }
    return count;
  }

  /** Idempotent. */
  @Override
  public void close() {
    if (fd == CLOSED) {
      return;
    }
    int closing = fd;
    fd = CLOSED;
    try {
      LibC.close(closing);
    } catch (LastErrorException e) {
      // Linux has released the descriptor in every case (close(2)).
    }
  }

  /** One datagram of the kernel, or null for one that another process sent. */
  private @Nullable ByteBuffer receiveOnce(int flags) throws DeviceException {
    senderLength.putInt(0, SOCKADDR_BYTES);
    long length =
        LibC.recvfrom(opened(), buffer, BUFFER_BYTES, flags | LibC.MSG_TRUNC, sender, senderLength);
    if (length > BUFFER_BYTES) {
      throw NetlinkAttributes.malformed("datagram", (int) length, BUFFER_BYTES);
    }
    return sender.getInt(4) == 0 ? NetlinkCodec.slice(buffer, 0, (int) length) : null;
  }

  private void setReceiveTimeout(long deadlineNanos) throws DeviceException {
    long micros = TimeUnit.NANOSECONDS.toMicros(deadlineNanos - System.nanoTime());
    if (micros <= 0) {
      throw new DeviceException(Kind.UNREACHABLE, "the kernel did not answer in time");
    }
    long second = TimeUnit.SECONDS.toMicros(1);
    ByteBuffer time = direct(16).putLong(micros / second).putLong(micros % second);
    try {
      LibC.setsockopt(opened(), LibC.SOL_SOCKET, LibC.SO_RCVTIMEO, time.flip(), 16);
    } catch (LastErrorException e) {
      throw failed("set a time limit", e);
    }
  }

  private int opened() throws DeviceException {
    if (fd == CLOSED) {
      throw new DeviceException(Kind.UNREACHABLE, "the netlink socket is closed");
    }
    return fd;
  }

  static DeviceException failed(String what, LastErrorException e) {
    return new DeviceException(
        Kind.UNREACHABLE, "cannot " + what + ": " + Errno.name(e.getErrorCode()), e);
  }

  static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }
}
