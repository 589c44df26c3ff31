package io.gatehouse.control.sequencer;

/** Learns of every entry, in order, once, whichever replica made it. */
@FunctionalInterface
public interface CommitListener {

  /**
   * Called on the sequencer's thread: must return at once, and hand work to its own thread. What it
   * throws ends the process, as any bug does.
   */
  void committed(Committed committed);
}
