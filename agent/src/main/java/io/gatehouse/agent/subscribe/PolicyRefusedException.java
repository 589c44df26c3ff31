package io.gatehouse.agent.subscribe;

/** A policy that is not taken over, and why; what was in force stays in force. */
public final class PolicyRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why, for a counter. */
  public enum Reason {
    /** There is no signature. */
    UNSIGNED,
    /** The key that signed it is not one of those to trust. */
    UNKNOWN_KEY,
    /** The signature is not over this DPU, this revision and this content. */
    BAD_SIGNATURE,
    /** A newer revision is held. */
    OLDER,
    /** A resource's content is not what its version says. */
    ALTERED
  }

  PolicyRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
