package io.gatehouse.control.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.fleet.RevisionWaiters.Waiter;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.testing.TestFleet;
import io.gatehouse.model.name.DpuName;
import org.junit.jupiter.api.Test;

final class ProgressBoardTest {
  private static final DpuName D1 = new DpuName("d1");
  private static final DpuName D2 = new DpuName("d2");

  private final TestFleet fleet = new TestFleet();
  private final ProgressBoard board = new ProgressBoard(Image.EMPTY);

  @Test
  void aWaitEndsWithTheLastReport() {
    become("acme/blue/web@d1", "acme/blue/db@d2");
    Waiter waiter = await(1, "");
    board.reported(D1, 1);
    assertThat(waiter.reached()).isNotDone();
    board.reported(D2, 1);
    assertThat(waiter.reached()).isCompletedWithValue(true);
    assertThat(await(0, "tenants/acme").reached()).isCompletedWithValue(true);
  }

  @Test
  void aWaitForWhatIsNotKnownHereYetWaitsForTheJournalFirst() {
    become("d1");
    board.reported(D1, 1);
    Waiter waiter = await(2, "tenants/acme");
    assertThat(waiter.reached()).isNotDone();
    become("acme/blue/web@d1");
    assertThat(waiter.reached()).isNotDone();
    board.reported(D1, 2);
    assertThat(waiter.reached()).isCompletedWithValue(true);
  }

  @Test
  void aReportThatComesBeforeTheEntryCounts() {
    become("d1");
    board.reported(D1, 2);
    become("acme/blue/web@d1");
    assertThat(await(2, "").reached()).isCompletedWithValue(true);
  }

  @Test
  void aScopeThatIsNotThereIsSaid() {
    become("d1");
    assertThat(await(1, "tenants/none").reached()).isCompletedWithValue(false);
    assertThat(board.lowWater(Scope.parse("dpus/d9"))).isEmpty();
  }

  @Test
  void aNetworkIsWaitedForWhereItWasTakenAway() {
    become("acme/blue/web@d1", "acme/blue/db@d2");
    board.reported(D1, 1);
    board.reported(D2, 1);
    become("acme/blue/web@d1", "d2");
    board.reported(D1, 2);
    Waiter waiter = await(2, "tenants/acme/networks/blue");
    assertThat(waiter.reached()).isNotDone();
    board.reported(D2, 2);
    assertThat(waiter.reached()).isCompletedWithValue(true);
    assertThat(board.lowWater(Scope.parse("tenants/acme/networks/blue")).orElseThrow().dpuCount())
        .isEqualTo(1);
  }

  @Test
  void aRemovedDpuIsWaitedForNoLonger() {
    become("acme/blue/web@d1", "d2");
    board.reported(D1, 1);
    Waiter waiter = await(1, "");
    assertThat(waiter.reached()).isNotDone();
    become("acme/blue/web@d1");
    assertThat(waiter.reached()).isCompletedWithValue(true);
  }

  @Test
  void waitersAreBoundedAndLeaveNothingBehind() {
    become("d1");
    Waiter first = new Waiter(1, new Scope.Fleet());
    assertThat(board.await(first)).isTrue();
    for (int i = 1; i < RevisionWaiters.MAX_WAITERS; i++) {
      assertThat(board.await(new Waiter(1, new Scope.Fleet()))).isTrue();
    }
    assertThat(board.await(new Waiter(1, new Scope.Fleet()))).isFalse();
    board.giveUp(first);
    board.giveUp(first);
    assertThat(board.await(new Waiter(1, new Scope.Fleet()))).isTrue();
    assertThat(board.await(new Waiter(1, new Scope.Fleet()))).isFalse();
    board.reported(D1, 1);
    assertThat(board.await(new Waiter(2, new Scope.Fleet()))).isTrue();
  }

  private Waiter await(long revision, String scope) {
    Waiter waiter = new Waiter(revision, Scope.parse(scope));
    board.await(waiter);
    return waiter;
  }

  private void become(String... words) {
    Committed committed = fleet.become(words);
    board.committed(
        committed, AffectedDpus.of(committed.before(), committed.after(), committed.entry()));
  }
}
