package io.gatehouse.control.sequencer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.sequencer.UnavailableException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSequencerTest extends SequencerContract {
  @TempDir private Path folder = Path.of("");

  @Override
  String newDatabase() {
    return "jdbc:sqlite:" + folder.resolve(UUID.randomUUID() + ".db");
  }

  @Override
  Duration pollInterval() {
    return Duration.ofMillis(20);
  }

  @Test
  void aFullQueueRefusesAtOnceAndTheEndAnswersWhatWaits() {
    var journal = open();
    JournalSequencer sequencer =
        new JournalSequencer(
            journal, journal.load(), new SequencerConfig(1, 1, Duration.ofMillis(20)));
    CompletableFuture<Committed> waiting = sequencer.submit(tenant(1));
    unavailable(sequencer.submit(tenant(2)), Kind.OVERLOADED);
    assertThat(waiting).isNotDone();
    sequencer.close();
    unavailable(waiting, Kind.STOPPED);
    unavailable(sequencer.submit(tenant(3)), Kind.STOPPED);
    assertThat(sequencer.health().available()).isFalse();
  }

  @Test
  void aBugOfAListenerEndsTheSequencer() throws Exception {
    JournalSequencer sequencer = start();
    sequencer.listen(
        committed -> {
          throw new IllegalStateException("bug");
        });
    unavailable(sequencer.submit(tenant(1)), Kind.STOPPED);
    assertThat(sequencer.health().problem()).isEqualTo("the sequencer has failed: bug");
    assertThat(start().image().revision()).as("the change was made").isEqualTo(1);
  }

  private static void unavailable(CompletableFuture<Committed> answer, Kind kind) {
    assertThatThrownBy(() -> await(answer))
        .isInstanceOfSatisfying(
            UnavailableException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
