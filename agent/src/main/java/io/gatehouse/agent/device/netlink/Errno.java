package io.gatehouse.agent.device.netlink;

import java.util.Map;

/** Names of the error numbers that Linux uses on x86-64 and arm64 (asm-generic/errno.h). */
final class Errno {
  static final int ENOENT = 2;
  static final int ESRCH = 3;
  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final int EADDRNOTAVAIL = 99;
  static final int ENOBUFS = 105;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "EPERM"),
          Map.entry(ENOENT, "ENOENT"),
          Map.entry(ESRCH, "ESRCH"),
          Map.entry(EINTR, "EINTR"),
          Map.entry(5, "EIO"),
          Map.entry(6, "ENXIO"),
          Map.entry(7, "E2BIG"),
          Map.entry(9, "EBADF"),
          Map.entry(EAGAIN, "EAGAIN"),
          Map.entry(12, "ENOMEM"),
          Map.entry(13, "EACCES"),
          Map.entry(14, "EFAULT"),
          Map.entry(16, "EBUSY"),
          Map.entry(17, "EEXIST"),
          Map.entry(19, "ENODEV"),
          Map.entry(22, "EINVAL"),
          Map.entry(23, "ENFILE"),
          Map.entry(24, "EMFILE"),
          Map.entry(28, "ENOSPC"),
          Map.entry(32, "EPIPE"),
          Map.entry(34, "ERANGE"),
          Map.entry(90, "EMSGSIZE"),
          Map.entry(93, "EPROTONOSUPPORT"),
          Map.entry(95, "EOPNOTSUPP"),
          Map.entry(97, "EAFNOSUPPORT"),
          Map.entry(98, "EADDRINUSE"),
          Map.entry(EADDRNOTAVAIL, "EADDRNOTAVAIL"),
          Map.entry(100, "ENETDOWN"),
          Map.entry(101, "ENETUNREACH"),
          Map.entry(ENOBUFS, "ENOBUFS"),
          Map.entry(107, "ENOTCONN"),
          Map.entry(110, "ETIMEDOUT"),
          Map.entry(113, "EHOSTUNREACH"));

  private Errno() {}

  /** Such as {@code ENODEV}, or {@code errno 200} for a number without a name here. */
  static String name(int errno) {
    return NAMES.getOrDefault(errno, "errno " + errno);
  }
}
