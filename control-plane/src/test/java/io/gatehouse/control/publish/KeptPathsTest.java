package io.gatehouse.control.publish;

import static io.gatehouse.control.publish.SessionLab.D1;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.UnderlayPath;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is remembered of the paths that a DPU has reported. */
final class KeptPathsTest {
  private static final int KEPT = 128;

  private final SessionLab lab = new SessionLab();
  private final DpuStatusStore store =
      new DpuStatusStore(
          "replica",
          InstantSource.fixed(Instant.parse("2026-11-01T00:00:00Z")),
          (dpu, revision) -> {});
  private SyncSession session;

  @BeforeEach
  void connect() {
    session = lab.open(D1, new FakeStream());
    store.connected(session, Hello.newBuilder().setBootId("one").build());
  }

  private static UnderlayPath path(int number, PathState state) {
    return UnderlayPath.newBuilder()
        .setPeer("dpus/d%03d".formatted(number))
        .setState(state)
        .build();
  }

  /** So many proven paths, and behind them one that is not. */
  private List<UnderlayPath> report(int proven) {
    List<UnderlayPath> paths =
        IntStream.rangeClosed(0, proven)
            .mapToObj(
                n ->
                    path(
                        n,
                        n < proven ? PathState.PATH_STATE_PROVEN : PathState.PATH_STATE_BLACK_HOLE))
            .toList();
    store.pathsChanged(session, PathReport.newBuilder().addAllPaths(paths).build());
    return paths;
  }

  @Test
  void asManyAsFitAreKeptAsTheyAre() {
    List<UnderlayPath> paths = report(KEPT - 1);
    assertThat(paths).hasSize(KEPT);
    assertThat(store.paths(D1).getPathsList()).isEqualTo(paths);
  }

  @Test
  void ofMoreThoseThatAreNotProvenAreKeptFirstAndInOrder() {
    List<UnderlayPath> paths = report(300);
    List<UnderlayPath> kept = store.paths(D1).getPathsList();
    assertThat(kept).hasSize(KEPT).isSubsetOf(paths).contains(paths.get(300));
    assertThat(kept).extracting(UnderlayPath::getPeer).isSorted();
  }

  @Test
  void aNewStreamTellsThemAnew() {
    report(3);
    store.closed(session);
    assertThat(store.paths(D1).getPathsCount()).as("who is away has said it last").isEqualTo(4);
    store.connected(lab.open(D1, new FakeStream()), Hello.newBuilder().setBootId("one").build());
    assertThat(store.paths(D1).getPathsCount()).isZero();
  }
}
