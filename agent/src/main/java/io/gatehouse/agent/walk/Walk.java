package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/** The way of one packet and of the copies that the connection tracker brings back. */
final class Walk {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_RESUBMITS = MAX_DEPTH * MAX_DEPTH;
  private static final int MAX_FORKS = 64;

  /** Ports are 16 bits where a register names them; from here on they are reserved ones. */
  private static final long FIRST_RESERVED = 0xff00;

  private static final long LAST_PORT = 0xffff;

  private final FlowTables tables;
  private final SortedSet<Integer> ports;
  private final Deque<ConnectionState> states;
  private final boolean opens;
  private final List<Delivery> deliveries = new ArrayList<>();
  private final Set<Flow> used = new LinkedHashSet<>();
  private final List<Walked.Unknown> unknown = new ArrayList<>();
  private final Deque<Fork> forks = new ArrayDeque<>();
  private final Deque<Flow> path = new ArrayDeque<>();
  private PacketFields fields = new PacketFields(Packet.from(0));
  private int inPort;
  private int resubmits;
  private int forked;

  private Walk(
      FlowTables tables, SortedSet<Integer> ports, List<ConnectionState> states, boolean opens) {
    this.tables = tables;
    this.ports = ports;
    this.states = new ArrayDeque<>(states);
    this.opens = opens;
  }

  /** A walk in which the tracker says what it is told to, and knows no connection's tuple. */
  static Walk ofStates(FlowTables tables, SortedSet<Integer> ports, List<ConnectionState> states) {
    return new Walk(tables, ports, states, false);
  }

  /**
   * A walk in which every visit of the tracker finds what a real one would: nobody has let the
   * connection through yet, and it goes from the packet's source to its destination.
   */
  static Walk ofOpening(FlowTables tables, SortedSet<Integer> ports) {
    return new Walk(tables, ports, List.of(), true);
  }

  /** A copy that waits for the connection tracker. */
  private record Fork(PacketFields fields, int table, long zone, List<Flow> path) {}

  /** The switch drops the packet, and all that one pass through the tables would have sent. */
  private static final class GivenUp extends Exception {
    private static final long serialVersionUID = 1L;

    GivenUp(String reason) {
      super(reason, null, false, false);
    }
  }

  Walked run(Packet packet) {
    inPort = packet.inPort();
    forks.add(new Fork(new PacketFields(packet), 0, 0, List.of()));
    Optional<String> givenUp = Optional.empty();
    for (boolean first = true; !forks.isEmpty(); first = false) {
      Fork fork = forks.remove();
      int before = deliveries.size();
      try {
        pass(fork, first);
      } catch (GivenUp e) {
        deliveries.subList(before, deliveries.size()).clear();
        givenUp = Optional.of(String.valueOf(e.getMessage()));
      }
    }
    return new Walked(deliveries, used, givenUp, unknown);
  }

  private void pass(Fork fork, boolean first) throws GivenUp {
    fields = fork.fields();
    path.clear();
    path.addAll(fork.path());
    resubmits = 0;
    if (!first) {
      ConnectionState state = states.isEmpty() ? ConnectionState.NEW : states.remove();
      fields.put(Field.CT_STATE, state.bits());
      fields.put(Field.CT_ZONE, fork.zone());
      if (opens) {
        fields.putOwnTuple();
      }
      if (state.mark() != 0) {
        fields.put(Field.CT_MARK, state.mark());
      }
    }
    enter(fork.table(), 0);
  }

  private void enter(int table, int depth) throws GivenUp {
    FlowTables.Found found = tables.find(table, fields::looked);
    if (found == null) {
      return;
    }
    used.add(found.flow());
    used.addAll(found.conjunction());
    path.addLast(found.flow());
    boolean goesOn = true;
    for (Action action : found.flow().actions()) {
      if (!goesOn) {
        break;
      }
      goesOn = run(action, table, depth);
    }
    path.removeLast();
  }

  /** False if the rest of the actions is not carried out. */
  private boolean run(Action action, int table, int depth) throws GivenUp {
    if (action instanceof Action.Resubmit resubmit) {
      resubmit(resubmit.table(), table, depth);
    } else if (action instanceof Action.ConnTrack track) {
      track(track);
    } else if (action instanceof Action.DecTtl) {
      return decrement();
    } else if (!change(action) && !send(action)) {
      unknown.add(new Walked.Unknown(action.toString(), List.copyOf(path)));
    }
    return true;
  }

  /** Only the way back costs depth: the tables ahead come to an end by themselves. */
  private void resubmit(int to, int from, int depth) throws GivenUp {
    if (depth >= MAX_DEPTH) {
      throw new GivenUp("more than " + MAX_DEPTH + " resubmits inside each other");
    }
    if (resubmits++ >= MAX_RESUBMITS) {
      throw new GivenUp("more than " + MAX_RESUBMITS + " resubmits");
    }
    enter(to, to <= from ? depth + 1 : depth);
  }

  private void track(Action.ConnTrack track) throws GivenUp {
    if (track.recircTable() != Action.ConnTrack.NO_TABLE) {
      if (forked++ >= MAX_FORKS) {
        throw new GivenUp("more than " + MAX_FORKS + " visits of the connection tracker");
      }
      PacketFields tracked = fields.copy();
      for (Action nested : track.nested()) {
        if (nested instanceof Action.SetField set) {
          // A walk opens few connections: there is room for each.
          tracked.set(set);
        }
      }
      forks.add(new Fork(tracked, track.recircTable(), zone(track), List.copyOf(path)));
    }
    fields.clearConnection();
  }

  private long zone(Action.ConnTrack track) {
    if (track.zone() instanceof Action.ConnTrack.Zone.Of of) {
      return fields.read(of.field(), of.ofs(), of.bits());
    }
    return ((Action.ConnTrack.Zone.Fixed) track.zone()).zone();
  }

  /** That a controller hears of a packet without time left is no delivery: a trace has none. */
  private boolean decrement() {
    if (!fields.isIp()) {
      return true;
    }
    long left = fields.get(Field.NW_TTL).low();
    if (left > 1) {
      fields.put(Field.NW_TTL, left - 1);
    }
    return left > 1;
  }

  private boolean change(Action action) {
    if (action instanceof Action.SetField set) {
      fields.set(set);
    } else if (action instanceof Action.Move move) {
      fields.move(move);
    } else if (action instanceof Action.ClearCtState) {
      fields.clearConnection();
    } else if (action instanceof Action.CheckPktLarger check) {
      fields.setBit(check.dstField(), check.bit(), fields.lengthBytes() > check.bytes());
    } else if (action instanceof Action.PopVlan && !fields.isTagged()) {
      return true;
    } else {
      return action instanceof Action.Meter || action instanceof Action.Note;
    }
    return true;
  }

  private boolean send(Action action) {
    if (action instanceof Action.Output output) {
      return send(output.port());
    }
    if (action instanceof Action.OutputInPort) {
      deliver(inPort);
      return true;
    }
    if (action instanceof Action.Controller) {
      deliver(Actions.CONTROLLER);
      return true;
    }
    if (action instanceof Action.OutputReg register) {
      return sendToRegister(fields.read(register.field(), register.ofs(), register.bits()));
    }
    return false;
  }

  private boolean sendToRegister(long port) {
    if (port > LAST_PORT) {
      return true;
    }
    return send((int) (port >= FIRST_RESERVED ? port | 0xffff_0000L : port));
  }

  private boolean send(int port) {
    switch (port) {
      case Actions.IN_PORT, Actions.CONTROLLER -> deliver(port == Actions.IN_PORT ? inPort : port);
      case Actions.TABLE -> {
        return true; // Only what a controller sends can start anew.
      }
      // Where the switch has learned an address is not in its flows: it may be any port.
      case Actions.NORMAL, Actions.FLOOD, Actions.ALL -> {
        ports.forEach(this::send);
        send(Actions.LOCAL);
      }
      default -> {
        if (port != inPort && (port == Actions.LOCAL || ports.contains(port))) {
          deliver(port);
        }
      }
    }
    return true;
  }

  private void deliver(int port) {
    deliveries.add(new Delivery(port, fields.packet(), List.copyOf(path)));
  }
}
