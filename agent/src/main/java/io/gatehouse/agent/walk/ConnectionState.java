package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.CtState;

/**
 * What the connection tracker says of a packet.
 *
 * @param bits of {@link CtState}
 * @param mark of the connection
 */
public record ConnectionState(int bits, long mark) {
  /** The first packet of a connection that nobody has let through yet. */
  public static final ConnectionState NEW = of(CtState.NEW);

  /** A later packet of the side that opened it. */
  public static final ConnectionState ESTABLISHED = of(CtState.ESTABLISHED);

  /** A packet of the other side. */
  public static final ConnectionState REPLY = of(CtState.ESTABLISHED | CtState.REPLY);

  /** An ICMP error that belongs to a connection. */
  public static final ConnectionState RELATED = of(CtState.RELATED);

  /** What belongs to no connection and opens none. */
  public static final ConnectionState INVALID = of(CtState.INVALID);

  public ConnectionState {
    bits |= CtState.TRACKED;
  }

  private static ConnectionState of(int bits) {
    return new ConnectionState(bits, 0);
  }

  /** The state with a mark. */
  public ConnectionState marked(long connectionMark) {
    return new ConnectionState(bits, connectionMark);
  }

  /** As {@code ofproto/trace --ct-next} reads it, such as {@code est|rpl|trk}. */
  @Override
  public String toString() {
    return String.join(",", CtState.names(bits));
  }
}
