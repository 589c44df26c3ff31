package io.gatehouse.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Paths that agents are asked to measure. */
class PathAnswersTest {
  private final SessionLab lab = new SessionLab();
  private final FakeStream stream = new FakeStream();
  private final SyncSession session = opened();

  private SyncSession opened() {
    lab.become("acme/blue/web@d1");
    SyncSession opened = lab.open(SessionLab.D1, stream);
    assertThat(opened.probePath("dpus/d2", "")).isCompletedExceptionally();
    opened.received(new FakeAgent(FakeAgent.Mode.STAGED).hello());
    stream.takeAll();
    return opened;
  }

  @Test
  void aQuestionIsAnswered() {
    CompletableFuture<PathAnswer> asked = session.probePath("dpus/d2", "tenants/t/networks/n");
    List<SyncResponse> sent = stream.takeAll();
    PathQuery query = sent.get(sent.size() - 1).getPathQuery();
    assertThat(query.getPeer()).isEqualTo("dpus/d2");
    assertThat(query.getNetwork()).isEqualTo("tenants/t/networks/n");
    PathAnswer answer =
        PathAnswer.newBuilder().setQueryId(query.getQueryId()).setUnavailable("busy").build();
    session.received(SyncRequest.newBuilder().setPathAnswer(answer).build());
    assertThat(asked).isCompletedWithValue(answer);
    session.received(SyncRequest.newBuilder().setPathAnswer(answer).build());
    assertThat(stream.ended()).as("one that nobody waits for").isFalse();
  }

  @Test
  void questionsAreBoundedAndFailWithTheStream() {
    List<CompletableFuture<PathAnswer>> answers =
        IntStream.range(0, AgentQuestions.MAX_PENDING)
            .mapToObj(i -> session.probePath("dpus/d2", ""))
            .toList();
    assertThat(session.probePath("dpus/d2", "")).isCompletedExceptionally();
    session.closed();
    assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
  }
}
