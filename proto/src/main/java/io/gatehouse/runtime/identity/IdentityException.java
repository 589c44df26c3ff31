package io.gatehouse.runtime.identity;

/** The control plane's answer cannot be used; the message says why. */
public final class IdentityException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IdentityException(String reason) {
    super(reason);
  }

  IdentityException(String reason, Exception cause) {
    super(reason, cause);
  }
}
