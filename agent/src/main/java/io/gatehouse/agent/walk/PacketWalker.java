package io.gatehouse.agent.walk;

import java.util.List;
import java.util.SortedSet;

/**
 * Walks packets through flows as Open vSwitch does (ofproto-dpif-xlate.c). Meters let everything
 * pass. Immutable.
 */
public final class PacketWalker {
  private final FlowTables tables;
  private final SortedSet<Integer> ports;

  /**
   * Makes a walker.
   *
   * @param ports OpenFlow ports of the bridge: an output to another one goes nowhere, and a flood
   *     goes to all of them
   */
  public PacketWalker(FlowTables tables, SortedSet<Integer> ports) {
    this.tables = tables;
    this.ports = ports;
  }

  /**
   * Walks a packet to its end.
   *
   * @param states what the connection tracker says each time it is asked; what is missing is {@link
   *     ConnectionState#NEW}
   */
  public Walked walk(Packet packet, List<ConnectionState> states) {
    return Walk.ofStates(tables, ports, states).run(packet);
  }

  /**
   * Walks the first packet of a connection to its end: what the tracker finds is NEW, from the
   * packet's source to its destination.
   */
  public Walked walkOpening(Packet packet) {
    return Walk.ofOpening(tables, ports).run(packet);
  }
}
