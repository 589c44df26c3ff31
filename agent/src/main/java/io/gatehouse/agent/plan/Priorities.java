package io.gatehouse.agent.plan;

/** Priorities of flows, the same meaning in every table. */
final class Priorities {
  /** What no port may ever send. */
  static final int FORBIDDEN = 200;

  /** A neighbour-discovery packet that says only what is true. */
  static final int TRUE_NEIGHBOUR = 120;

  /** An exception to {@link #MATCH}. */
  static final int EXCEPTION = 110;

  /** The rule of the table. */
  static final int MATCH = 100;

  /** What catches the rest of a kind of packet. */
  static final int REST_OF_KIND = 90;

  /** What catches everything else: the end of the table. */
  static final int DEFAULT = 0;

  private Priorities() {}
}
