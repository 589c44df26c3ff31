package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Entry;
import io.gatehouse.proto.v1.WatchChangesResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest changes, for all who watch: one bounded window instead of a queue for each. Safe for
 * use by many threads.
 */
public final class RecentChanges {
  /** Changes that are kept; one who watches and falls further behind is too slow. */
  static final int WINDOW = 4_096;

  private final Deque<WatchChangesResponse> window = new ArrayDeque<>();
  private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
  private long newest;

  /**
   * An empty window.
   *
   * @param newest revision that comes before the first change
   */
  public RecentChanges(long newest) {
    this.newest = newest;
  }

  /** Takes an entry and wakes those who watch. */
  public void committed(Entry entry) {
    synchronized (this) {
      newest = entry.revision();
      window.add(ChangeMessages.of(entry));
      if (window.size() > WINDOW) {
        window.remove();
      }
    }
    watchers.forEach(Runnable::run);
  }

  synchronized long newest() {
    return newest;
  }

  /** Changes after a revision; empty if some of them are no longer in the window. */
  synchronized Optional<List<WatchChangesResponse>> after(long revision, int limit) {
    if (revision >= newest) {
      return Optional.of(List.of());
    }
    if (window.isEmpty() || window.element().getRevision() > revision + 1) {
      return Optional.empty();
    }
    return Optional.of(
        window.stream().filter(change -> change.getRevision() > revision).limit(limit).toList());
  }

  void watch(Runnable wake) {
    watchers.add(wake);
  }

  void unwatch(Runnable wake) {
    watchers.remove(wake);
  }

  int watcherCount() {
    return watchers.size();
  }
}
