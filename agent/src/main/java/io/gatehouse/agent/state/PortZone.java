package io.gatehouse.agent.state;

import io.gatehouse.model.net.InvalidValueException;

/**
 * The zone of the connection tracker in which the connections of a port are kept, apart from all
 * others.
 *
 * @param number 1..65535; 0 is what the host's own connections are in
 * @param uid incarnation of the port that has it
 */
public record PortZone(int number, String uid) {
  public static final int MAX = 0xffff;

  public PortZone {
    if (number < 1 || number > MAX) {
      throw new InvalidValueException("zone", number, "is outside 1.." + MAX);
    }
  }
}
