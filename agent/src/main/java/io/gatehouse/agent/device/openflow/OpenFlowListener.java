package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowChange;
import io.gatehouse.agent.device.openflow.codec.PacketIn;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import java.util.List;

/**
 * Hears what happens at a bridge. Every method is called on the client's event loop thread, one at
 * a time, and must not block.
 */
public interface OpenFlowListener {

  /**
   * Calls work from now on. What was known of flows and ports is to be read anew: changes that were
   * made in between are not reported, those made from now on are.
   */
  void connected(long datapathId);

  /** Calls fail from now on, until {@link #connected}; the client keeps trying. */
  void disconnected(DeviceException cause);

  /** Other connections than this client's changed flows. */
  void flowsChanged(List<FlowChange> changes);

  /** Flows were changed that could not be reported: they are to be read anew. */
  void flowsUnknown();

  void portChanged(PortDescription.Reason reason, PortDescription port);

  /** A flow has sent a packet to the controller; only those who watch packets hear of it. */
  default void packetArrived(PacketIn packet) {}
}
