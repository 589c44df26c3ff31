package io.gatehouse.agent.device.openflow;

import java.time.Duration;

/** Runs a task later, on any thread. */
@FunctionalInterface
public interface Scheduler {
  void after(Duration delay, Runnable task);
}
