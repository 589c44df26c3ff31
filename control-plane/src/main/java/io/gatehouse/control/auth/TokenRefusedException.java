package io.gatehouse.control.auth;

/** A bearer token that is not taken. The message is fit to be shown and holds nothing of it. */
public final class TokenRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public TokenRefusedException(String message) {
    super(message);
  }

  /** Why. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
