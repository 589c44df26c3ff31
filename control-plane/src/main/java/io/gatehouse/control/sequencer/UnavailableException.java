package io.gatehouse.control.sequencer;

/**
 * A command that could not be carried out now. Nothing is known to be wrong with it: repeat it with
 * the same request id, which finds out whether it has taken effect.
 */
public final class UnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What was in the way. */
  public enum Kind {
    /** Too many commands wait already. */
    OVERLOADED,
    /** The journal cannot be reached. */
    STORAGE,
    /** The process is ending. */
    STOPPED
  }

  private final Kind kind;

  public UnavailableException(Kind kind, String reason) {
    super(reason);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
