package io.gatehouse.agent.path;

import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The search on one path: which sizes go out next, and what is known (RFC 8899 §5, with the sizes
 * of a round side by side instead of one after the other, since what is lost costs a time limit).
 *
 * <p>A path is confirmed with the one size that matters. Three rounds without an answer begin a
 * search between the base size and that one; a round of the search narrows the bounds to a ninth. A
 * single answer to the wanted size ends it: bytes that have arrived are proof, a probe that has not
 * is only a sign. For one thread; times are of a monotonic clock, in nanoseconds.
 */
public final class PathSearch {
  /** RFC 8899 §5.1.2, MAX_PROBES. */
  static final int MAX_LOSSES = 3;

  /** RFC 8899 §5.1.2, BASE_PLPMTU. */
  static final int BASE_BYTES = 1_200;

  /** Sizes of one round of a search. */
  private static final int RUNGS = 8;

  /** Of each size in a search, so that one stray loss does not make the path look smaller. */
  private static final int COPIES = 2;

  private final PathPace pace;
  private int wanted;
  private PathState state = PathState.SEARCHING;
  private int proven;
  private int lost;

  /** The sizes of the round that is under way. */
  private final SortedSet<Integer> asked = new TreeSet<>();

  /** Those of them that have arrived, and those that never left. */
  private final SortedSet<Integer> answered = new TreeSet<>();

  private final SortedSet<Integer> refused = new TreeSet<>();
  private boolean searching;
  private int losses;

  /** Largest size that was answered since the wanted one was answered last. */
  private int best;

  /** Somebody has asked for a new look, which has not come to its end. */
  private boolean anew;

  private int low;
  private int high;
  private long due;
  private long lastSearch;

  /** Begins at {@code firstAt}, so that a fleet that starts together does not probe together. */
  public PathSearch(int wantedBytes, PathPace pace, long firstAt) {
    this.wanted = wantedBytes;
    this.pace = pace;
    this.due = firstAt;
  }

  public PathVerdict verdict() {
    return new PathVerdict(state, wanted, proven, lost);
  }

  /** Another size is needed from now on. */
  public void want(int wantedBytes, long now) {
    if (wantedBytes == wanted) {
      return;
    }
    wanted = wantedBytes;
    asked.clear();
    searching = false;
    losses = 0;
    best = 0;
    lost = 0;
    if (proven >= wanted) {
      // What carried more carries this.
      proven = wanted;
      state = PathState.PROVEN;
      return;
    }
    state = PathState.SEARCHING;
    due = now;
  }

  /** Everything is measured anew, without waiting for its time. */
  public void again(long now) {
    asked.clear();
    searching = false;
    losses = 0;
    best = 0;
    lastSearch = now - pace.search().toNanos();
    due = now;
    anew = true;
  }

  /** Whether what {@link #again} has asked for is still under way. */
  public boolean isAnew() {
    return anew;
  }

  /** Ends the round before and begins one: the sizes to send now, some more than once. */
  public List<Integer> next(long now) {
    if (now - due < 0) {
      return List.of();
    }
    if (!asked.isEmpty()) {
      endRound(now, false);
      if (now - due < 0) {
        return List.of();
      }
    }
    answered.clear();
    refused.clear();
    asked.addAll(searching ? ladder() : confirmation());
    due = now + pace.timeout().toNanos();
    return asked.stream()
        .flatMap(size -> Collections.nCopies(searching ? COPIES : 1, size).stream())
        .toList();
  }

  /** A probe of this size has arrived. */
  public void answered(int size, long now) {
    if (asked.contains(size)) {
      answered.add(size);
    }
    if (size == wanted || isOver()) {
      endRound(now, size == wanted);
    }
  }

  /** This DPU's own stack does not let a packet of this size out. */
  public void refused(int size, long now) {
    if (asked.contains(size)) {
      refused.add(size);
      if (isOver()) {
        endRound(now, false);
      }
    }
  }

  private boolean isOver() {
    return !asked.isEmpty()
        && asked.stream().allMatch(size -> answered.contains(size) || refused.contains(size));
  }

  private List<Integer> confirmation() {
    List<Integer> sizes = new ArrayList<>(List.of(wanted));
    if (proven > 0) {
      sizes.add(proven);
    }
    if (proven == 0 || losses > 0) {
      sizes.add(Math.min(BASE_BYTES, wanted));
    }
    return sizes;
  }

  private List<Integer> ladder() {
    int gap = high - low;
    List<Integer> sizes = new ArrayList<>();
    for (int rung = 1; rung <= RUNGS; rung++) {
      int size = low + Math.max(rung, gap * rung / (RUNGS + 1));
      if (size < high) {
        sizes.add(size);
      }
    }
    return sizes;
  }

  private void endRound(long now, boolean arrived) {
    if (arrived) {
      proven();
      due = now + pace.confirm().toNanos();
    } else if (searching) {
      narrow(now);
    } else {
      missed(now);
    }
    asked.clear();
  }

  private void proven() {
    state = PathState.PROVEN;
    anew = false;
    proven = wanted;
    lost = 0;
    searching = false;
    losses = 0;
    best = 0;
  }

  private void missed(long now) {
    best = answered.isEmpty() ? best : Math.max(best, answered.last());
    losses++;
    if (losses < MAX_LOSSES) {
      due = now;
      return;
    }
    losses = 0;
    int carried = best;
    best = 0;
    if (carried == 0) {
      state = PathState.UNREACHABLE;
      anew = false;
      proven = 0;
      lost = 0;
      due = now + pace.retry().toNanos();
      return;
    }
    boolean known = state == PathState.BLACK_HOLE && carried == proven;
    if (known && now - lastSearch < pace.search().toNanos()) {
      due = now + pace.retry().toNanos();
      return;
    }
    if (!known) {
      state = PathState.BLACK_HOLE;
      proven = carried;
      lost = wanted;
    }
    low = carried;
    high = wanted;
    searching = true;
    lastSearch = now;
    due = now;
    settleIfNarrow(now);
  }

  private void narrow(long now) {
    low = answered.isEmpty() ? low : Math.max(low, answered.last());
    for (int size : asked) {
      if (size > low && size < high) {
        high = size;
      }
    }
    proven = low;
    due = now;
    settleIfNarrow(now);
  }

  private void settleIfNarrow(long now) {
    if (high - low > 1) {
      return;
    }
    lost = high;
    searching = false;
    anew = false;
    due = now + pace.retry().toNanos();
  }
}
