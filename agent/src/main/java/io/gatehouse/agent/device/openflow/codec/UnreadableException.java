package io.gatehouse.agent.device.openflow.codec;

import org.jspecify.annotations.Nullable;

/** Bytes that are not a message of the protocol, or one that this codec does not know. */
public final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableException(String message) {
    super(message);
  }

  public UnreadableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
