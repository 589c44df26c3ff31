package io.gatehouse.control.journal;

/**
 * The journal is not what was written: a row is missing, cut off or changed. The message names the
 * row and says what to do. Never repaired by itself.
 */
public final class JournalCorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What to do, for the end of a message. */
  static final String REMEDY =
      ". The control plane does not start on it; DPUs keep forwarding. Keep a copy of the database"
          + " for the inquiry and restore it from the newest backup";

  private final long seq;

  public JournalCorruptException(long seq, String message) {
    super(message);
    this.seq = seq;
  }

  /** The first row that is wrong. */
  public long seq() {
    return seq;
  }
}
