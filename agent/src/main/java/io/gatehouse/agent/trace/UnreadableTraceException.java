package io.gatehouse.agent.trace;

/** The switch's answer is not a whole trace. */
public final class UnreadableTraceException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableTraceException(String reason) {
    super("not a trace: " + reason);
  }
}
