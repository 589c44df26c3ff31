package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;

/**
 * Hears what becomes of the replica. Every method is called on the client's one event loop, in
 * order, and must return quickly; one that throws drops the connection.
 */
public interface OvsdbListener {

  /** A session is up, and this is all that is monitored. It replaces whatever was known. */
  void connected(OvsdbSnapshot snapshot);

  /** One transaction of anybody, this client included, changed monitored columns. */
  void changed(OvsdbSnapshot snapshot);

  /**
   * The session ended, or an attempt to make one failed. From now on the state of the database is
   * unknown. The next attempt is already scheduled.
   */
  void disconnected(DeviceException cause);
}
