package io.gatehouse.agent.device;

import org.jspecify.annotations.Nullable;

/** A device did not do what it was asked to do. */
public final class DeviceException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What the caller should do about it. */
  public enum Kind {
    /** No connection, or no answer in time: observe, back off, try again. */
    UNREACHABLE,
    /** The device understood and refused: report it, and wait for a new policy. */
    REJECTED,
    /** The device broke its protocol: the connection has been dropped. */
    PROTOCOL
  }

  private final Kind kind;

  public DeviceException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public DeviceException(Kind kind, String message) {
    this(kind, message, null);
  }

  public Kind kind() {
    return kind;
  }
}
