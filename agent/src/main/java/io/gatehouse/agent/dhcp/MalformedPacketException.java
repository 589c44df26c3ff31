package io.gatehouse.agent.dhcp;

/** Bytes that are not a packet of the protocol. */
final class MalformedPacketException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedPacketException(String message) {
    super(message);
  }
}
