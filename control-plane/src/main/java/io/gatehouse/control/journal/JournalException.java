package io.gatehouse.control.journal;

/** The storage could not be reached or failed; what was asked for may or may not have happened. */
public final class JournalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public JournalException(String message, Throwable cause) {
    super(message, cause);
  }

  JournalException(String message) {
    super(message);
  }
}
