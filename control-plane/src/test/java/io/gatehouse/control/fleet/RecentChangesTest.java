package io.gatehouse.control.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.TestFleet;
import io.gatehouse.proto.v1.ChangeKind;
import io.gatehouse.proto.v1.WatchChangesResponse;
import org.junit.jupiter.api.Test;

final class RecentChangesTest {
  private final TestFleet fleet = new TestFleet();
  private final RecentChanges recent = new RecentChanges(0);

  @Test
  void changesComeInOrderAfterARevision() {
    become("acme/blue/web@d1");
    become("acme/blue/web@d1", "acme/blue/db@d1");
    become("acme/blue/db@d1");
    assertThat(recent.after(1, 10).orElseThrow())
        .extracting(WatchChangesResponse::getRevision)
        .containsExactly(2L, 3L);
    WatchChangesResponse last = recent.after(2, 10).orElseThrow().get(0);
    assertThat(last.getChanges(0).getName()).isEqualTo("tenants/acme/networks/blue/ports/web");
    assertThat(last.getChanges(0).getKind()).isEqualTo(ChangeKind.CHANGE_KIND_DELETED);
    assertThat(recent.after(3, 10).orElseThrow()).isEmpty();
  }

  @Test
  void whoFallsOutOfTheWindowIsToldSo() {
    for (int i = 0; i <= RecentChanges.WINDOW; i++) {
      become("d1");
    }
    assertThat(recent.after(0, 10)).isEmpty();
    assertThat(recent.after(1, 10).orElseThrow()).hasSize(10);
  }

  @Test
  void thoseWhoWatchAreWoken() {
    int[] woken = {0};
    Runnable watcher = () -> woken[0]++;
    recent.watch(watcher);
    become("d1");
    recent.unwatch(watcher);
    become("d1", "d2");
    assertThat(woken[0]).isEqualTo(1);
  }

  private void become(String... words) {
    recent.committed(fleet.become(words).entry());
  }
}
