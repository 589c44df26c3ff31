package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.Observation;
import java.util.Collection;
import java.util.Map;

/** The devices of the DPU as the loop sees them. Called by the loop's thread only; may block. */
public interface Devices {
  /**
   * Reads.
   *
   * @param functions that the policy names
   */
  Observation observe(Collection<String> functions) throws InterruptedException;

  /** Forgets what was read, so that the next look is a real one. */
  void forget();

  /** Puts guards up and IPv6 off. */
  void close(KernelChange change) throws DeviceException;

  /** Sets devices up, restores the underlay, takes guards away. */
  void open(KernelChange change) throws DeviceException;

  /**
   * Adds and modifies meters.
   *
   * @return what was refused, by the meter's id
   */
  Map<Integer, String> open(MeterChange change) throws DeviceException, InterruptedException;

  /** Deletes meters. */
  void close(MeterChange change) throws DeviceException, InterruptedException;

  /**
   * Sets limits of zones.
   *
   * @return what was refused, by the zone
   */
  Map<Integer, String> open(ConnectionLimitChange change)
      throws DeviceException, InterruptedException;

  /** Deletes limits of zones. */
  void close(ConnectionLimitChange change) throws DeviceException, InterruptedException;

  /**
   * Writes flows.
   *
   * @return what was refused, by cookie
   */
  Map<Long, String> apply(FlowChange change) throws DeviceException, InterruptedException;

  /** Writes bridge and ports. */
  void apply(BridgeChange change) throws DeviceException, InterruptedException;
}
