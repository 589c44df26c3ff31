package io.gatehouse.agent.plan.pipeline;

/** Priorities of flows, the same meaning in every table. */
public final class Priorities {
  /** What has met the first of two limits, and meets the second. */
  public static final int LIMITED = 400;

  /** What a port in quarantine may say and hear all the same. */
  public static final int QUARANTINE_ALLOWED = 310;

  /** A port in quarantine. */
  public static final int QUARANTINE = 300;

  /** A frame with two VLAN tags. */
  public static final int DOUBLE_TAG = 230;

  /** A frame of a form that no port may ever send. */
  public static final int ODD_FRAME = 220;

  /** What no port may ever send. */
  public static final int FORBIDDEN = 200;

  /** A neighbour-discovery packet that says only what is true. */
  public static final int TRUE_NEIGHBOUR = 120;

  /** An exception to {@link #MATCH}. */
  public static final int EXCEPTION = 110;

  /** The rule of the table. */
  public static final int MATCH = 100;

  /** A question for an address of a peer's port. */
  public static final int PEER = 98;

  /** Above a check of the size: the same for a path that carries less. */
  public static final int NARROW_PATH = 3;

  /** A question of a port in quarantine that is not answered on the spot. */
  public static final int QUARANTINE_QUESTION = 97;

  /** What is about an address that more than one port may use. */
  public static final int SHARED = 95;

  /** What catches the rest of a kind of packet. */
  public static final int REST_OF_KIND = 90;

  /** What catches everything else: the end of the table. */
  public static final int DEFAULT = 0;

  private Priorities() {}
}
