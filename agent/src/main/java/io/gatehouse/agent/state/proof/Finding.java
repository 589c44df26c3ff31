package io.gatehouse.agent.state.proof;

import java.util.List;

/**
 * Something that is not as the policy wants it.
 *
 * @param leak true: it arrives and must not; false: it does not arrive and must
 * @param from name of the sending port, or what else it is
 * @param to name of the receiving port, or what else it is
 * @param packet in {@code ovs-ofctl} syntax
 * @param flows those that it met, the guilty ones first
 * @param owner whom the first of them serves; empty if nobody is known
 */
public record Finding(
    boolean leak,
    PacketClass kind,
    Method method,
    String from,
    String to,
    String packet,
    List<String> flows,
    String owner) {
  public Finding {
    flows = List.copyOf(flows);
  }

  /** How it was found. */
  public enum Method {
    /** By walking over the planned flows. */
    WALK,
    /** By the running switch's own trace. */
    TRACE,
    /** By walking over flows that were there and not planned; they have been removed. */
    REPAIRED
  }
}
