package io.gatehouse.control.sequencer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.PostgresServer;
import io.gatehouse.control.decide.Request;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The poll interval is long enough that only notifications can pass these tests in time. */
class PostgresSequencerIT extends SequencerContract {
  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  String newDatabase() {
    return server.newDatabase();
  }

  @Override
  Duration pollInterval() {
    return Duration.ofSeconds(2);
  }

  @Test
  void anOutageIsSaidAndSurvived() throws Exception {
    JournalSequencer sequencer = start();
    await(sequencer.submit(tenant(1)));
    server.stop();
    Request request = request("id", "same");
    assertThatThrownBy(() -> await(sequencer.submit(tenant(2, request))))
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> assertThat(e.kind()).isEqualTo(UnavailableException.Kind.STORAGE));
    assertThat(sequencer.health().available()).isFalse();
    assertThat(sequencer.health().problem()).contains("jdbc:postgresql://127.0.0.1");
    assertThat(sequencer.image().revision()).isEqualTo(1);

    server.startAgain();
    assertThat(retry(sequencer, request).entry().revision()).isEqualTo(2);
    assertThat(sequencer.health().available()).isTrue();
  }
}
