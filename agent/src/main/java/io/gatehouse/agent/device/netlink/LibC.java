package io.gatehouse.agent.device.netlink;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.nio.ByteBuffer;

/**
 * The C library's calls for sockets, bound directly by JNA. Each fails with {@link
 * LastErrorException}, which carries errno. Buffers are direct; native code starts at their
 * position.
 */
final class LibC {
  static final int AF_NETLINK = 16;
  static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
  static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;
  static final int SOL_SOCKET = 1;
  static final int SO_RCVBUF = 8;
  static final int SO_RCVTIMEO = 20;
  static final int SOL_NETLINK = 270;
  static final int MSG_TRUNC = 0x20;
  static final int MSG_DONTWAIT = 0x40;
  static final short POLLIN = 1;

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

  static native int eventfd(int initial, int flags) throws LastErrorException;

  static native long write(int fd, ByteBuffer bytes, long length) throws LastErrorException;

  static native int poll(ByteBuffer descriptors, long count, int timeoutMillis)
      throws LastErrorException;

  static native int close(int fd) throws LastErrorException;
}
