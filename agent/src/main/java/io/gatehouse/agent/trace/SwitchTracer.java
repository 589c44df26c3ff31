package io.gatehouse.agent.trace;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.unixctl.UnixctlClient;
import io.gatehouse.agent.walk.ConnectionState;
import io.gatehouse.agent.walk.Packet;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the running switch what it would do with a packet. No packet is sent, no flow is counted, no
 * connection made. Blocks; for one thread.
 */
public final class SwitchTracer implements AutoCloseable {
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
    List<String> arguments = new ArrayList<>(List.of(bridge, packet.toString()));
    for (ConnectionState state : states) {
      arguments.add("--ct-next");
      arguments.add(state.toString());
    }
    String text = client.call(METHOD, arguments);
    try {
      return TraceReader.read(text, packet.inPort());
    } catch (UnreadableTraceException e) {
      throw new DeviceException(Kind.PROTOCOL, METHOD + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
