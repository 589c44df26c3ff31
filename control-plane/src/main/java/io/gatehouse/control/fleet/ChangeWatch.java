package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.journal.Journal;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One who watches the changes: first from the journal, as far back as asked, then from the window.
 * Sends only what the transport takes; ends one that falls out of the window.
 */
final class ChangeWatch {
  private static final int PAGE = 256;

  private final Journal journal;
  private final RecentChanges recent;
  private final ServerCallStreamObserver<WatchChangesResponse> out;
  private final Viewer viewer;
  private final Executor executor;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Runnable wake = this::wake;
  private long sent;
  private boolean live;

  /**
   * Who watches.
   *
   * @param tenant whose changes alone are shown; empty: all
   * @param gone runs once, when the watch has ended
   */
  record Viewer(Optional<TenantName> tenant, Runnable gone) {
    /** What of a change may be seen; empty if nothing. */
    Optional<WatchChangesResponse> seen(WatchChangesResponse change) {
      if (tenant.isEmpty()) {
        return Optional.of(change).filter(c -> c.getChangesCount() > 0);
      }
      String own = tenant.get().toString();
      WatchChangesResponse.Builder seen = change.toBuilder().clearChanges();
      change.getChangesList().stream()
          .filter(c -> isBelow(own, c.getName()))
          .forEach(seen::addChanges);
      if (!isToldWho(own, change)) {
        seen.clearActor();
      }
      return Optional.of(seen.build()).filter(c -> c.getChangesCount() > 0);
    }
  }

  /** What a tenant has is also changed by another: the end of a peering. Its name is not told. */
  private static boolean isToldWho(String own, WatchChangesResponse change) {
    return change.getActor().startsWith("operators/")
        || change.getChangesList().stream().limit(1).allMatch(c -> isBelow(own, c.getName()));
  }

  private static boolean isBelow(String own, String name) {
    return name.equals(own) || name.startsWith(own + "/");
  }

  ChangeWatch(
      Journal journal,
      RecentChanges recent,
      ServerCallStreamObserver<WatchChangesResponse> out,
      Viewer viewer,
      Executor executor,
      long afterRevision) {
    this.journal = journal;
    this.recent = recent;
    this.out = out;
    this.viewer = viewer;
    this.executor = executor;
    this.sent = afterRevision;
  }

  void start() {
    out.setOnReadyHandler(wake);
    out.setOnCancelHandler(this::stop);
    recent.watch(wake);
    wake();
  }

  private void wake() {
    if (scheduled.compareAndSet(false, true)) {
      executor.execute(this::pump);
    }
  }

  private synchronized void pump() {
    scheduled.set(false);
    try {
      // A page at a time, and then the others' turn: who reads the whole past holds nobody up.
      if (!ended.get() && out.isReady() && sendPage()) {
        wake();
      }
    } catch (JournalException e) {
      end(Status.UNAVAILABLE.withDescription("the journal cannot be read now"));
    }
  }

  /** Sends some changes; false if there are none. */
  private boolean sendPage() {
    Optional<List<WatchChangesResponse>> page = recent.after(sent, PAGE);
    if (page.isEmpty() && live) {
      end(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "this watch is more than "
                  + RecentChanges.WINDOW
                  + " changes behind; watch again after revision "
                  + sent));
      return false;
    }
    live = page.isPresent();
    List<WatchChangesResponse> changes = page.orElseGet(this::pageOfJournal);
    for (WatchChangesResponse change : changes) {
      sent = change.getRevision();
      viewer.seen(change).ifPresent(out::onNext);
    }
    return !changes.isEmpty();
  }

  private List<WatchChangesResponse> pageOfJournal() {
    List<Entry> entries = journal.readAfter(sent, PAGE);
    return entries.stream().map(ChangeMessages::of).toList();
  }

  private void end(Status status) {
    stop();
    out.onError(status.asRuntimeException());
  }

  private void stop() {
    if (ended.compareAndSet(false, true)) {
      recent.unwatch(wake);
      viewer.gone().run();
    }
  }
}
