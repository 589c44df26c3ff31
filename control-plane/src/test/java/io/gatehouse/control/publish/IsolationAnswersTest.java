package io.gatehouse.control.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationQuery;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Proofs of isolation that agents send, asked and unasked. */
class IsolationAnswersTest {
  private final SessionLab lab = new SessionLab();
  private final FakeStream stream = new FakeStream();
  private final SyncSession session = opened();

  private SyncSession opened() {
    lab.become("acme/blue/web@d1");
    SyncSession opened = lab.open(SessionLab.D1, stream);
    opened.received(new FakeAgent(FakeAgent.Mode.STAGED).hello());
    stream.takeAll();
    return opened;
  }

  private static SyncRequest answer(long id, IsolationProof.Builder proof) {
    return SyncRequest.newBuilder()
        .setIsolationAnswer(IsolationAnswer.newBuilder().setQueryId(id).setProof(proof))
        .build();
  }

  @Test
  void aQuestionIsAnsweredUnderTheNameOfTheStreamsDpu() {
    CompletableFuture<IsolationAnswer> asked = session.prove("tenants/acme");
    List<SyncResponse> sent = stream.takeAll();
    IsolationQuery query = sent.get(sent.size() - 1).getIsolationQuery();
    assertThat(query.getScope()).isEqualTo("tenants/acme");
    session.received(
        answer(
            query.getQueryId(), IsolationProof.newBuilder().setDpu("dpus/other").setRevision(7)));
    assertThat(asked).isCompleted();
    assertThat(asked.join().getProof().getDpu()).isEqualTo("dpus/d1");
  }

  @Test
  void anUnaskedProofIsReported() {
    session.received(answer(0, IsolationProof.newBuilder().setRevision(7)));
    assertThat(lab.reports).contains("proved 7 of dpus/d1");
  }

  @Test
  void aProofOutOfBoundsEndsTheStream() {
    IsolationProof.Builder proof = IsolationProof.newBuilder();
    for (int i = 0; i < 101; i++) {
      proof.addFindings(IsolationFinding.getDefaultInstance());
    }
    session.received(answer(0, proof));
    assertThat(stream.endText()).contains("isolation_answer.proof.findings");
  }
}
