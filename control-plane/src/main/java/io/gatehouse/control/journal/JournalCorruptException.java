package io.gatehouse.control.journal;

/**
 * The journal is not what was written: a row is missing, cut off or changed. The message names the
 * row and says what to do. Never repaired by itself.
 */
public final class JournalCorruptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

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
