package io.gatehouse.agent.state.proof;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * What one look at the isolation of this DPU's ports has found.
 *
 * @param revision of the policy
 * @param at when it ended
 * @param reach how much was looked at
 * @param cells expected against found
 * @param findings what is wrong, the first ones only
 * @param unexercised planned flows that no packet met, the first ones only
 * @param evidence SHA-256 over the flows read back, the revision and the time, in hexadecimal
 */
public record Proof(
    long revision,
    Instant at,
    Reach reach,
    SortedMap<Cell, Cell.Counts> cells,
    List<Finding> findings,
    List<String> unexercised,
    String evidence) {
  public static final int MAX_FINDINGS = 100;
  public static final int MAX_UNEXERCISED = 20;
  public static final int MAX_CELLS = 4_096;

  public Proof {
    cells = Collections.unmodifiableSortedMap(cells);
    findings = List.copyOf(findings);
    unexercised = List.copyOf(unexercised);
  }

  /**
   * How much was looked at.
   *
   * @param walked packets walked over the planned flows
   * @param traced packets of which the running switch was asked
   * @param complete no packet of the scope was left out for want of time
   * @param traceProblem why the switch could not be asked, empty if it could
   */
  public record Reach(
      long walked, long traced, boolean complete, String traceProblem, int unexercisedFlows) {}

  /** The same proof with other findings, as many as fit. */
  public Proof withFindings(List<Finding> others) {
    return new Proof(
        revision,
        at,
        reach,
        cells,
        others.stream().limit(MAX_FINDINGS).toList(),
        unexercised,
        evidence);
  }

  /** All cells together. */
  public Cell.Counts total() {
    return cells.values().stream().reduce(Cell.Counts.NONE, Cell.Counts::plus);
  }
}
