package io.gatehouse.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.journal.JournalException;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.proto.storage.v1.RefusalEntry;
import io.grpc.Status;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalRecorderTest {
  private final List<RefusalEntry> stored = new CopyOnWriteArrayList<>();

  @Test
  void aRefusalIsWrittenAndItsRepeatsAtTheEnd() {
    try (RefusalRecorder recorder = new RefusalRecorder(stored::addAll, InstantSource.system())) {
      recorder.start();
      for (int i = 0; i < 5; i++) {
        recorder.refused("operators/ann", "Get", "x", Status.PERMISSION_DENIED);
      }
      Eventually.holds("the first is written", () -> stored.size() == 1);
    }
    assertThat(stored).extracting(RefusalEntry::getCount).containsExactly(1L, 4L);
  }

  @Test
  void whoRefusesNeverWaitsForTheStorage() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    RefusalRecorder recorder =
        new RefusalRecorder(
            batch -> {
              entered.countDown();
              await(stuck);
              stored.addAll(batch);
            },
            InstantSource.system());
    recorder.start();
    recorder.refused("address/192.0.2.1", "Get", "", Status.UNAUTHENTICATED);
    assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 100_000; i++) {
      recorder.refused("address/" + i, "Get", "", Status.UNAUTHENTICATED);
    }
    assertThat(stored).as("the storage is still stuck").isEmpty();
    stuck.countDown();
    recorder.close();
    assertThat(stored.stream().mapToLong(RefusalEntry::getCount).sum())
        .as("every one is counted")
        .isEqualTo(100_001);
    assertThat(stored).hasSizeLessThan(2_000);
  }

  @Test
  void aStorageThatComesBackGetsWhatWaited() {
    CopyOnWriteArrayList<JournalException> failures =
        new CopyOnWriteArrayList<>(
            List.of(new JournalException("away", new IllegalStateException("away"))));
    try (RefusalRecorder recorder =
        new RefusalRecorder(
            batch -> {
              if (!failures.isEmpty()) {
                throw failures.remove(0);
              }
              stored.addAll(batch);
            },
            InstantSource.system())) {
      recorder.start();
      recorder.refused("operators/ann", "Get", "x", Status.PERMISSION_DENIED);
      Eventually.holds("it is written in the end", () -> stored.size() == 1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
