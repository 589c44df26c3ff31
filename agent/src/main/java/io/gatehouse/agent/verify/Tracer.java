package io.gatehouse.agent.verify;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.trace.Trace;
import io.gatehouse.agent.walk.Packet;

/** Asks the switch what it would do with the first packet of a connection. */
@FunctionalInterface
public interface Tracer {
  Trace trace(Packet packet) throws DeviceException, InterruptedException;
}
