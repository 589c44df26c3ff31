package io.gatehouse.agent.serve;

import io.gatehouse.agent.dhcp.Verdict;
import io.gatehouse.agent.state.PuntKind;

/** Counts what hosts ask and are told. Called on any thread. */
public interface AnswerMeter {
  void answered(Verdict.Kind kind);

  void dropped(PuntKind kind, Verdict.Reason reason);

  /** A router advertisement that nobody had asked for. */
  void announced();
}
