package io.gatehouse.control.publish;

import static io.gatehouse.control.publish.SessionLab.D1;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.UnderlayPath;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is believed of a DPU between the Hello of a new stream and the first Ack on it. */
final class ReturningAgentTest {
  private final SessionLab lab = new SessionLab();
  private final List<Long> applied = new ArrayList<>();
  private final DpuStatusStore store =
      new DpuStatusStore(
          "replica",
          InstantSource.fixed(Instant.parse("2026-11-01T00:00:00Z")),
          (dpu, revision) -> applied.add(revision));

  /** Boot {@code one}, everything up to revision 5 applied, and then the stream is gone. */
  private void wasCurrent() {
    SyncSession session = lab.open(D1, new FakeStream());
    store.connected(session, hello("one", 0));
    store.acked(session, Ack.newBuilder().setAppliedRevision(5).setHeldRevision(5).build());
    store.closed(session);
    assertThat(applied).last().isEqualTo(5L);
  }

  private void returns(Hello hello) {
    store.connected(lab.open(D1, new FakeStream()), hello);
  }

  private static Hello hello(String boot, long heldRevision) {
    return Hello.newBuilder().setBootId(boot).setHeldRevision(heldRevision).build();
  }

  @Test
  void whoHoldsWhatItHeldIsAsFarAsBefore() {
    wasCurrent();
    returns(hello("one", 5));
    assertThat(applied).last().isEqualTo(5L);
    returns(hello("one", 7));
    assertThat(applied).last().as("held is not applied").isEqualTo(5L);
  }

  @Test
  void whoHasLostItsPolicyIsNotCurrent() {
    wasCurrent();
    returns(hello("one", 0));
    assertThat(applied).last().isEqualTo(0L);
  }

  @Test
  void whoHoldsAnOlderOneIsNotCurrent() {
    wasCurrent();
    returns(hello("one", 3));
    assertThat(applied).last().isEqualTo(3L);
  }

  @Test
  void afterABootNothingIsApplied() {
    wasCurrent();
    returns(hello("two", 5));
    assertThat(applied).last().isEqualTo(0L);
  }

  /** What it said before is shown, and is no reason to do anything. */
  @Test
  void pathsAreCurrentOnlyOnTheStreamOnWhichTheyWereTold() {
    PathReport report =
        PathReport.newBuilder().addPaths(UnderlayPath.newBuilder().setPeer("dpus/d2")).build();
    SyncSession session = lab.open(D1, new FakeStream());
    store.connected(session, hello("one", 0));
    assertThat(store.currentPaths(D1)).isEmpty();
    store.pathsChanged(session, report);
    assertThat(store.currentPaths(D1)).contains(report);
    store.closed(session);
    assertThat(store.currentPaths(D1)).isEmpty();
    assertThat(store.paths(D1)).isEqualTo(report);
    returns(hello("one", 0));
    assertThat(store.currentPaths(D1)).isEmpty();
  }
}
