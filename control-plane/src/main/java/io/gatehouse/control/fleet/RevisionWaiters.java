package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Who waits for a revision to be real, and for which DPUs. A report costs as much as there are
 * waiters for its DPU. Used under the board's lock, except {@link #answer}.
 */
final class RevisionWaiters {
  /** Waiters at a time. */
  static final int MAX_WAITERS = 10_000;

  /** What the board knows. */
  interface View {
    Image image();

    /** The DPUs of a scope. */
    Set<DpuName> dpus(Scope scope);

    /** Newest revision up to which all that concerns a DPU is applied. */
    long confirmed(DpuName dpu);
  }

  /** One who waits. */
  static final class Waiter {
    private final long revision;
    private final Scope scope;
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();
    private final Set<DpuName> outstanding = new HashSet<>();

    Waiter(long revision, Scope scope) {
      this.revision = revision;
      this.scope = scope;
    }

    /** True when the revision is real; false when there is no such scope. */
    CompletableFuture<Boolean> reached() {
      return reached;
    }
  }

  private final Set<Waiter> ahead = new HashSet<>();
  private final Map<DpuName, Set<Waiter>> byDpu = new HashMap<>();
  private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
  private final View view;
  private int count;

  RevisionWaiters(View view) {
    this.view = view;
  }

  /** Adds a waiter; false if there are too many. */
  boolean add(Waiter waiter) {
    if (count >= MAX_WAITERS) {
      return false;
    }
    count++;
    if (waiter.revision > view.image().revision()) {
      ahead.add(waiter);
      return true;
    }
    settle(waiter);
    return true;
  }

  /** The waiter waits no more. */
  void remove(Waiter waiter) {
    boolean there = ahead.remove(waiter);
    for (DpuName dpu : waiter.outstanding) {
      there |= forget(dpu, waiter);
    }
    waiter.outstanding.clear();
    if (there) {
      count--;
    }
  }

  /** The image has advanced. */
  void advanced() {
    if (ahead.isEmpty()) {
      return;
    }
    List<Waiter> ready = new ArrayList<>();
    ahead.removeIf(waiter -> waiter.revision <= view.image().revision() && ready.add(waiter));
    ready.forEach(this::settle);
  }

  /** A DPU's progress may have changed. */
  void reported(DpuName dpu) {
    Set<Waiter> waiting = byDpu.get(dpu);
    if (waiting == null) {
      return;
    }
    long upTo = view.confirmed(dpu);
    for (Waiter waiter : List.copyOf(waiting)) {
      if (upTo >= waiter.revision) {
        forget(dpu, waiter);
        waiter.outstanding.remove(dpu);
        finishIfNothingIsLeft(waiter);
      }
    }
  }

  /** Answers those who need not wait any longer, without a lock. */
  void answer() {
    Runnable next = answers.poll();
    while (next != null) {
      next.run();
      next = answers.poll();
    }
  }

  private void settle(Waiter waiter) {
    if (!waiter.scope.exists(view.image())) {
      finish(waiter, false);
      return;
    }
    for (DpuName dpu : view.dpus(waiter.scope)) {
      if (view.confirmed(dpu) < waiter.revision) {
        waiter.outstanding.add(dpu);
        byDpu.computeIfAbsent(dpu, d -> new HashSet<>()).add(waiter);
      }
    }
    finishIfNothingIsLeft(waiter);
  }

  private boolean forget(DpuName dpu, Waiter waiter) {
    Set<Waiter> waiting = byDpu.get(dpu);
    if (waiting == null || !waiting.remove(waiter)) {
      return false;
    }
    if (waiting.isEmpty()) {
      byDpu.remove(dpu);
    }
    return true;
  }

  private void finishIfNothingIsLeft(Waiter waiter) {
    if (waiter.outstanding.isEmpty()) {
      finish(waiter, true);
    }
  }

  private void finish(Waiter waiter, boolean result) {
    count--;
    answers.add(() -> waiter.reached.complete(result));
  }
}
