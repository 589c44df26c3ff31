package io.gatehouse.agent.trace;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.unixctl.UnixctlClient;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.walk.ConnectionState;
import io.gatehouse.agent.walk.Packet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;

/**
 * Asks the running switch what it would do with a packet. No packet is sent, no flow is counted, no
 * connection made. Blocks; for one thread.
 */
public final class SwitchTracer implements AutoCloseable {
  /** Of the connection tracker, in one trace: sender and receiver, and one more. */
  private static final int MAX_VISITS = 3;

  private static final String METHOD = "ofproto/trace";

  private final UnixctlClient client;
  private final String bridge;

  public SwitchTracer(UnixctlClient client, String bridge) {
    this.client = client;
    this.bridge = bridge;
  }

  /**
   * Traces a packet.
   *
   * @param states what the connection tracker says each time it is asked; what is missing is new
   */
  public Trace trace(Packet packet, List<ConnectionState> states)
      throws DeviceException, InterruptedException {
    return trace(packet.toString(), packet.inPort(), states);
  }

  private Trace trace(String packet, int inPort, List<ConnectionState> states)
      throws DeviceException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(bridge, packet));
    for (ConnectionState state : states) {
      arguments.add("--ct-next");
      arguments.add(state.toString());
    }
    String text = client.call(METHOD, arguments);
    try {
      return TraceReader.read(text, inPort);
    } catch (UnreadableTraceException e) {
      throw new DeviceException(Kind.PROTOCOL, METHOD + ": " + e.getMessage(), e);
    }
  }

  /**
   * Asks what would become of the packets of a connection that this one has opened. The switch is
   * given the connection's tuple, which a trace has not by itself, and goes on with it as long as
   * nothing is committed: so they are not the first packets, which the same rules judge.
   */
  public Trace traceOpening(Packet packet) throws DeviceException, InterruptedException {
    Packet tracked = packet.withOwnTuple();
    long protocol = tracked.get(Field.CT_NW_PROTO).low();
    if (protocol == 0) {
      return trace(packet.toString(), packet.inPort(), List.of());
    }
    StringBuilder text = new StringBuilder(packet.toString()).append(",ct_state=est|trk");
    for (Field field : EnumSet.range(Field.CT_NW_PROTO, Field.CT_TP_DST)) {
      Bits value = tracked.get(field);
      if (!value.isZero()) {
        text.append(',').append(field.text()).append('=').append(field.valueText(value));
      }
    }
    return trace(
        text.toString(),
        packet.inPort(),
        Collections.nCopies(MAX_VISITS, ConnectionState.ESTABLISHED));
  }

  @Override
  public void close() {
    client.close();
  }
}
