package io.gatehouse.agent.reconcile;

/** Counts what the loop does. Called by the loop's thread. */
public interface ReconcileMeter {
  /** A revision was found in force, this long after its arrival. */
  void applied(long nanos);

  /** Single changes were written. */
  void writes(int count);

  /** What was in force had been changed by others. */
  void drift();

  /** A device could not be written. */
  void failure();
}
