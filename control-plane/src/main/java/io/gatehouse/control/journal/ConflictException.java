package io.gatehouse.control.journal;

/** Somebody else has appended meanwhile. Nothing was written. */
public final class ConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  public ConflictException(String message) {
    super(message);
  }
}
