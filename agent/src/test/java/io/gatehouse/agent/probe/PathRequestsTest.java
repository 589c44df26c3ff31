package io.gatehouse.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.path.PathPace;
import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.path.Probe;
import io.gatehouse.agent.path.tunnel.TunnelTestRun;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How what was asked for comes to its end. */
class PathRequestsTest {
  private static final DpuName PEER = new DpuName("b");
  private static final IpAddress ADDRESS = IpAddress.parse("192.0.2.2");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final SplittableRandom random = new SplittableRandom(1);
  private final PathTable table = new PathTable(4, PathPace.DEFAULT, random::nextLong, 0);
  private final PathRequests requests = new PathRequests(table, sending -> {});

  private CompletableFuture<Optional<PathStatus>> measure(long now) {
    CompletableFuture<Optional<PathStatus>> done = new CompletableFuture<>();
    requests.measure(PEER, done, now);
    return done;
  }

  private void aim() {
    table.aim(new TreeMap<>(Map.of(PEER, new Partner(ADDRESS, 1_500))), 0);
  }

  @Test
  void whoIsNoPartnerHasNoPath() {
    assertThat(measure(0)).isCompletedWithValue(Optional.empty());
  }

  @Test
  void aPathThatAnswersIsMeasuredAtOnce() {
    aim();
    CompletableFuture<Optional<PathStatus>> done = measure(SECOND);
    for (Probe probe : table.next(SECOND)) {
      table.answered(ADDRESS, probe.nonce(), SECOND + 1);
    }
    requests.tick(SECOND + 2);
    assertThat(done.getNow(Optional.empty()).orElseThrow().verdict().state())
        .isEqualTo(PathState.PROVEN);
  }

  /** Also while nothing can be sent at all. */
  @Test
  void whatDoesNotEndIsEnded() {
    aim();
    CompletableFuture<Optional<PathStatus>> done = measure(0);
    requests.tick(11 * SECOND);
    assertThat(done).isNotDone();
    requests.tick(12 * SECOND);
    assertThat(done.getNow(Optional.empty()).orElseThrow().verdict().state())
        .isEqualTo(PathState.SEARCHING);
  }

  @Test
  void testsAreRunOneAfterTheOther() {
    CompletableFuture<List<TunnelTest>> first = new CompletableFuture<>();
    CompletableFuture<List<TunnelTest>> second = new CompletableFuture<>();
    requests.test(new TunnelTestRun(ADDRESS, List.of(), random::nextLong, 0), first);
    requests.test(new TunnelTestRun(ADDRESS, List.of(), random::nextLong, 0), second);
    requests.tick(0);
    assertThat(first).isCompletedWithValue(List.of());
    assertThat(second).isNotDone();
    requests.tick(0);
    assertThat(second).isCompletedWithValue(List.of());
  }
}
