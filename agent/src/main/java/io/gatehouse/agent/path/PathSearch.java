package io.gatehouse.agent.path;

import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * The search on one path: which sizes go out next, and what is known (RFC 8899 §5, with the sizes
 * of a round side by side instead of one after the other, since what is lost costs a time limit).
 *
 * <p>A path is confirmed with the one size that matters. What is lost is asked for again with a
 * small packet behind it: only if the small one arrives, and the large ones do not in three rounds,
 * they vanish. Where nothing arrives nothing is known for seconds: a process that pauses looks the
 * same. Then a search between the base size and the one that matters narrows the bounds to a ninth
 * in each round. A single answer to the wanted size ends it: bytes that have arrived are proof, a
 * probe that has not is only a sign. For one thread; times are of a monotonic clock, in
 * nanoseconds.
 */
public final class PathSearch {
  /** RFC 8899 §5.1.2, MAX_PROBES: rounds. */
  static final int MAX_LOSSES = 3;

  /** RFC 8899 §5.1.2, BASE_PLPMTU. */
  static final int BASE_BYTES = 1_200;

  private enum Step {
    CONFIRM,
    DOUBT,
    LADDER
  }

  private final PathHint hint;
  private PathPace pace;
  private int wanted;
  private PathState state = PathState.SEARCHING;
  private int proven;
  private int lost;

  private Step step = Step.CONFIRM;
  private ProbeRound round = ProbeRound.NONE;
  private long number;
  private int losses;
  private int silences;
  private int low;
  private int high;
  private boolean hinted;

  /** What a search has found; 0 if there was none. */
  private int settled;

  private boolean settling;
  private long stateSince;

  private long due;
  private long opened;
  private long heard;
  private long lastSearch;

  /** Somebody has asked for a new look, which has not come to its end. */
  private boolean anew;

  /** Begins at {@code firstAt}, so that a fleet that starts together does not probe together. */
  public PathSearch(int wantedBytes, PathPace pace, long firstAt) {
    this(wantedBytes, pace, firstAt, new PathHint());
  }

  PathSearch(int wantedBytes, PathPace pace, long firstAt, PathHint hint) {
    this.wanted = wantedBytes;
    this.pace = pace;
    this.hint = hint;
    this.due = firstAt;
    this.heard = firstAt;
    this.stateSince = firstAt;
  }

  public PathVerdict verdict() {
    return new PathVerdict(state, wanted, proven, lost);
  }

  /**
   * Bytes of the largest packet that should be sent this way; 0: as large as is wanted. What is not
   * known exactly yet is no limit for a second: who is told one keeps it for minutes.
   */
  public int limitBytes(long now) {
    return switch (state) {
      case SEARCHING, UNREACHABLE -> 0;
      case PROVEN -> now - stateSince < ProbeTimes.HOLD_NANOS && settled < wanted ? settled : 0;
      case BLACK_HOLE ->
          settling && now - stateSince >= ProbeTimes.SEARCH_LIMIT_NANOS ? proven : settled;
    };
  }

  /** Another size is needed from now on. */
  public void want(int wantedBytes, long now) {
    if (wantedBytes == wanted) {
      return;
    }
    boolean stillLost = state == PathState.BLACK_HOLE && lost > 0 && wantedBytes >= lost;
    wanted = wantedBytes;
    if (stillLost) {
      return;
    }
    round = ProbeRound.NONE;
    confirmFrom(now);
    lost = 0;
    settled = 0;
    if (proven >= wanted) {
      // What carried more carries this.
      proven = wanted;
      become(PathState.PROVEN, now);
      return;
    }
    become(PathState.SEARCHING, now);
  }

  /** Goes on at another pace. */
  void pace(PathPace next, long now) {
    pace = next;
    long soon = now + pace.confirm().toNanos();
    if (!round.isOpen() && state != PathState.UNREACHABLE && due - soon > 0) {
      due = soon;
    }
  }

  /** This process has stood still, and answers may wait to be read. */
  void slept(long nanos) {
    if (round.isOpen()) {
      due += nanos;
    }
  }

  /** Everything is measured anew, without waiting for its time. */
  void again(long now) {
    round = ProbeRound.NONE;
    anew = true;
    if (state == PathState.BLACK_HOLE) {
      searchFrom(base(), wanted, now);
      return;
    }
    confirmFrom(now);
  }

  /** Whether what {@link #again} has asked for is still under way. */
  boolean isAnew() {
    return anew;
  }

  /** Ends the round before and begins one: the sizes to send now, some more than once. */
  public List<Integer> next(long now) {
    end(now);
    return begin(now);
  }

  /** Ends the round if its time is over. */
  void end(long now) {
    if (now - due >= 0 && round.isOpen()) {
      close(now);
    }
  }

  /** Begins a round if one is due. */
  List<Integer> begin(long now) {
    if (now - due < 0) {
      return List.of();
    }
    round =
        new ProbeRound(
            switch (step) {
              case CONFIRM -> confirmation(now);
              case DOUBT -> doubt();
              case LADDER -> ladder();
            });
    number++;
    opened = now;
    due =
        now
            + (step == Step.CONFIRM && isKnown()
                ? ProbeTimes.DOUBT_NANOS
                : pace.timeout().toNanos());
    return round.sizes();
  }

  PathState state() {
    return state;
  }

  /** Whether something has arrived just now. */
  boolean isHeard(long now) {
    return now - heard < ProbeTimes.HEARD_NANOS;
  }

  /** Whether the other way has carried something since nothing arrives on this one. */
  boolean isDeadBeside(PathSearch other) {
    return state == PathState.UNREACHABLE && other.heard - stateSince > 0;
  }

  /** More than confirming what is known. */
  boolean isInDoubt() {
    return step != Step.CONFIRM;
  }

  /** Of the round that {@link #begin} began last. */
  long round() {
    return number;
  }

  /** A probe of this size, of this round, has arrived. */
  void answered(int size, long ofRound, long now) {
    heard = now;
    silences = 0;
    if (size == wanted) {
      round = ProbeRound.NONE;
      proven(now);
      return;
    }
    if (ofRound != number || !round.isOpen()) {
      return;
    }
    round.answered(size);
    if (round.isOver()) {
      close(now);
      return;
    }
    long end = now + (round.isLast(size) ? ProbeTimes.REORDER_NANOS : ProbeTimes.DOUBT_NANOS);
    due = due - end > 0 ? end : due;
  }

  /** This DPU's own stack has not let a packet of this size, of this round, out. */
  void refused(int size, long ofRound, long now) {
    if (ofRound != number) {
      return;
    }
    round.refused(size);
    if (round.isOver()) {
      close(now);
    }
  }

  private boolean isKnown() {
    return state == PathState.PROVEN || state == PathState.BLACK_HOLE;
  }

  /** What must arrive for everything to be as it was. */
  private int target() {
    return state == PathState.BLACK_HOLE ? proven : wanted;
  }

  private int base() {
    return Math.min(BASE_BYTES, wanted);
  }

  private List<Integer> confirmation(long now) {
    TreeSet<Integer> sizes = new TreeSet<>(List.of(wanted));
    if (proven > 0) {
      sizes.add(proven);
    }
    if (state == PathState.BLACK_HOLE && now - lastSearch >= pace.search().toNanos()) {
      lastSearch = now;
      sizes.add(lost);
    }
    if (!isKnown()) {
      sizes.add(base());
    }
    return List.copyOf(sizes.descendingSet());
  }

  private List<Integer> doubt() {
    List<Integer> sizes = new ArrayList<>(List.of(wanted));
    sizes.addAll(Collections.nCopies(losses + (target() == wanted ? 0 : 1), target()));
    sizes.add(base());
    return sizes;
  }

  private List<Integer> ladder() {
    int guess = hint.carriedBytes();
    boolean guesses = !hinted && guess > low && guess < high;
    hinted = true;
    ProbeLadder ladder = new ProbeLadder(base(), low, high);
    return guesses ? ladder.around(guess) : ladder.rungs();
  }

  private void close(long now) {
    ProbeRound ended = round;
    round = ProbeRound.NONE;
    if (ended.isSilent()) {
      silent(now);
      return;
    }
    if (step == Step.LADDER) {
      narrow(ended, now);
      return;
    }
    if (ended.hasArrived(target())) {
      stillBlackHole(ended, now);
      return;
    }
    missed(ended, now);
  }

  private void silent(long now) {
    if (step == Step.CONFIRM && isKnown()) {
      doubtFrom(now);
      return;
    }
    silences++;
    if (silences < ProbeTimes.MAX_SILENCES) {
      long whole = opened + pace.timeout().toNanos();
      due = whole - now > 0 ? whole : now;
      return;
    }
    become(PathState.UNREACHABLE, now);
    anew = false;
    proven = 0;
    lost = 0;
    settled = 0;
    confirmFrom(now + pace.retry().toNanos());
  }

  private void proven(long now) {
    become(PathState.PROVEN, now);
    anew = false;
    proven = wanted;
    lost = 0;
    confirmFrom(now + pace.confirm().toNanos());
  }

  private void stillBlackHole(ProbeRound ended, long now) {
    if (ended.hasArrived(lost)) {
      searchFrom(lost, wanted, now);
      return;
    }
    // Two probes each time, where a proven path costs one.
    confirmFrom(now + 2 * pace.confirm().toNanos());
  }

  private void missed(ProbeRound ended, long now) {
    if (losses + 1 < MAX_LOSSES) {
      doubtFrom(now);
      return;
    }
    int vanished = target();
    // What was found before the last hole says nothing of this one.
    settled = limitBytes(now);
    settling = true;
    state = PathState.BLACK_HOLE;
    stateSince = now;
    proven = ended.largestArrived();
    lost = vanished;
    searchFrom(proven, vanished, now);
  }

  private void narrow(ProbeRound ended, long now) {
    low = ended.largestArrived();
    high = ended.nextAbove(low, wanted);
    proven = low;
    due = now;
    if (high - low > 1) {
      return;
    }
    lost = high;
    anew = false;
    settling = false;
    settled = proven;
    hint.found(proven);
    lastSearch = now;
    confirmFrom(now + 2 * pace.confirm().toNanos());
  }

  private void become(PathState next, long now) {
    if (state != next) {
      state = next;
      stateSince = now;
    }
  }

  private void confirmFrom(long at) {
    step = Step.CONFIRM;
    losses = 0;
    due = at;
  }

  private void doubtFrom(long now) {
    step = Step.DOUBT;
    losses++;
    due = now;
  }

  private void searchFrom(int from, int to, long now) {
    step = Step.LADDER;
    losses = 0;
    low = from;
    high = to;
    hinted = false;
    due = now;
  }
}
