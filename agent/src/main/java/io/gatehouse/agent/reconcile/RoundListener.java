package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.state.proof.Subject;

/** Is told how rounds end, on the loop's thread; it must not keep the loop waiting. */
public interface RoundListener {
  RoundListener NONE =
      new RoundListener() {
        @Override
        public void changing() {}

        @Override
        public void inForce(Subject subject) {}

        @Override
        public void changedByOthers(Subject subject) {}
      };

  /** Something is about to be written: what was in force no longer need be. */
  void changing();

  /** Everything is as planned, by read-back. */
  void inForce(Subject subject);

  /** Others have changed flows that were in force; they are set right now. */
  void changedByOthers(Subject subject);
}
