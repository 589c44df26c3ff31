package io.gatehouse.control.pki;

/** The authorities cannot be used; the message says which file, and what to do. */
public final class PkiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PkiException(String reason) {
    super(reason);
  }

  public PkiException(String reason, Exception cause) {
    super(reason, cause);
  }
}
