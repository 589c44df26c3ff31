package io.gatehouse.agent.device;

import org.jspecify.annotations.Nullable;

/**
 * A device did not do what it was asked. The kind decides what the caller does next; the message
 * names the device's object and the reason, and carries no secret.
 */
public final class DeviceException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** What went wrong, by what has to happen next. */
  public enum Kind {
    /** No answer. Whether the request took effect is unknown: observe, back off, try again. */
    UNREACHABLE,
    /** The device answered no, and changed nothing: report, and wait for another request. */
    REJECTED,
    /** The device said what the protocol does not allow: the connection is dropped. */
    PROTOCOL
  }

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
