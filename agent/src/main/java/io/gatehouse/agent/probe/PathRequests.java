package io.gatehouse.agent.probe;

import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.path.tunnel.TunnelTestRun;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What was asked for and is under way. For one thread. */
final class PathRequests {
  /** A search of 9000 bytes takes 9 s where nothing is known: three losses, five rounds. */
  private static final long SEARCH_NANOS = Duration.ofSeconds(12).toNanos();

  private record Search(
      DpuName peer, CompletableFuture<Optional<PathStatus>> done, long deadline) {}

  private record Test(TunnelTestRun run, CompletableFuture<List<TunnelTest>> done) {}

  private final PathTable table;
  private final PathProber.Outlet outlet;
  private final List<Search> searches = new ArrayList<>();
  private final Deque<Test> tests = new ArrayDeque<>();

  PathRequests(PathTable table, PathProber.Outlet outlet) {
    this.table = table;
    this.outlet = outlet;
  }

  /** Begins to measure; the future is completed when that has come to an end. */
  void measure(DpuName peer, CompletableFuture<Optional<PathStatus>> done, long now) {
    if (table.again(peer, now)) {
      searches.add(new Search(peer, done, now + SEARCH_NANOS));
      return;
    }
    done.complete(Optional.empty());
  }

  /** Runs a test after those before it. */
  void test(TunnelTestRun run, CompletableFuture<List<TunnelTest>> done) {
    tests.add(new Test(run, done));
  }

  /** The peer of a test says what has come of a packet. */
  void tested(IpAddress from, long nonce, boolean intact) {
    tests.stream().findFirst().ifPresent(test -> test.run().arrived(from, nonce, intact));
  }

  /** Does what is due. */
  void tick(long now) {
    searches.removeIf(search -> isOver(search, now));
    Test test = tests.peek();
    if (test == null) {
      return;
    }
    test.run().next(now).forEach(outlet::send);
    if (test.run().isOver(now)) {
      tests.remove();
      test.done().complete(test.run().results());
    }
  }

  private boolean isOver(Search search, long now) {
    if (table.isAnew(search.peer()) && now - search.deadline() < 0) {
      return false;
    }
    // The partner may be none any more.
    search.done().complete(Optional.ofNullable(table.statuses(Instant.now()).get(search.peer())));
    return true;
  }
}
