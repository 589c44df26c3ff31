package io.gatehouse.agent.state;

/**
 * A resource of the policy that is not in force, and why.
 *
 * @param resource its name
 * @param kind whether time can help
 * @param reason one sentence for an operator
 */
public record Problem(String resource, Kind kind, String reason) {

  /** Whether time can help. */
  public enum Kind {
    /** Waits for something, such as a function that has not appeared. */
    PENDING,
    /** Cannot be applied as it is; only another policy helps. */
    REJECTED
  }

  public static Problem pending(String resource, String reason) {
    return new Problem(resource, Kind.PENDING, reason);
  }

  public static Problem rejected(String resource, String reason) {
    return new Problem(resource, Kind.REJECTED, reason);
  }
}
