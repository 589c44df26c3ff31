package io.gatehouse.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.control.testing.TestFleet;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One stream a DPU, and what is reported of the move from one to the next. */
class PublisherTest {
  @TempDir Path folder;

  @Test
  void theNewStreamIsReportedBeforeTheOldOneEnds() throws Exception {
    TestFleet fleet = new TestFleet();
    var unused = fleet.become("acme/blue/web@d1");
    try (PublishThreads threads =
        new PublishThreads(
            1,
            (thread, bug) -> {
              throw new AssertionError(bug);
            })) {
      Reports reports = new Reports(threads);
      Publisher publisher =
          Publisher.start(
              fleet.image(),
              reports,
              new SyncMetrics(new SimpleMeterRegistry()),
              threads,
              PolicySigner.open(folder));
      FakeStream old = new FakeStream();
      greet(publisher, old);
      greet(publisher, new FakeStream());
      reports.awaitThreads();
      assertThat(reports.said).containsExactly("connected", "connected", "closed");
      assertThat(old.ended()).isTrue();
    }
  }

  private static void greet(Publisher publisher, FakeStream stream) {
    publisher.open(SessionLab.D1, stream).received(new FakeAgent(FakeAgent.Mode.STAGED).hello());
  }

  /** Takes so long over each stream that all which could overtake it does. */
  private static final class Reports implements AgentReports {
    private final PublishThreads threads;
    private final List<String> said = new CopyOnWriteArrayList<>();

    Reports(PublishThreads threads) {
      this.threads = threads;
    }

    void awaitThreads() {
      CompletableFuture.runAsync(() -> {}, threads).orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Override
    public void connected(SyncSession session, Hello hello) {
      awaitThreads();
      said.add("connected");
    }

    @Override
    public void acked(SyncSession session, Ack ack) {
      said.add("acked");
    }

    @Override
    public void heartbeat(SyncSession session, long appliedRevision) {
      said.add("heartbeat");
    }

    @Override
    public void pathsChanged(SyncSession session, PathReport report) {}

    @Override
    public void proved(SyncSession session, IsolationProof proof) {
      said.add("proved");
    }

    @Override
    public void closed(SyncSession session) {
      said.add("closed");
    }
  }
}
