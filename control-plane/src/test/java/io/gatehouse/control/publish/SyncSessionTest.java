package io.gatehouse.control.publish;

import static io.gatehouse.control.publish.SessionLab.D1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.publish.projection.EncodedResource;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.Heartbeat;
import io.gatehouse.proto.v1.InventoryRequest;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.wire.PolicySeals;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SyncSessionTest {
  private static final String[] TWO = {"acme/blue/web@d1", "acme/blue/db@d2"};

  private final SessionLab lab = new SessionLab();
  private final FakeStream stream = new FakeStream();
  private final FakeAgent agent = new FakeAgent(FakeAgent.Mode.STAGED);

  @Test
  void anAgentThatHoldsNothingGetsTheWhole() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    assertHolds(agent);
    assertThat(lab.acks).hasSize(1);
    assertThat(lab.acks.get(0).getAppliedRevision()).isEqualTo(1);
  }

  @Test
  void anAgentThatHoldsAllGetsNotOneByteOfPolicy() {
    lab.become(TWO);
    converse(lab.open(D1, stream));
    lab.become("acme/blue/web@d1", "acme/blue/db@d2", "beta/x/y@d2");
    FakeStream second = new FakeStream();
    lab.open(D1, second).received(agent.hello());
    Delta delta = onlyDelta(second);
    assertThat(delta.getUpsertsCount() + delta.getRemovalsCount()).isZero();
    assertThat(delta.getComplete()).isTrue();
    assertThat(delta.getToRevision()).isEqualTo(2);
    assertThat(lab.configBytes("unchanged")).isZero();
  }

  @Test
  void everyCompleteDeltaIsSealedForThisDpuAndRevision() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    session.received(agent.hello());
    assertSealed(onlyDelta(stream), 1);
    lab.become("acme/blue/web@d1");
    assertSealed(onlyDelta(stream), 2);
  }

  @Test
  void anUnchangedPolicyIsSealedForItsNewRevision() {
    lab.become(TWO);
    converse(lab.open(D1, stream));
    lab.become("acme/blue/web@d1", "acme/blue/db@d2", "beta/x/y@d2");
    FakeStream second = new FakeStream();
    lab.open(D1, second).received(agent.hello());
    assertSealed(onlyDelta(second), 2);
  }

  @Test
  void anAgentThatHoldsSomethingElseIsAskedAndGetsTheDifference() {
    lab.become(TWO);
    converse(lab.open(D1, stream));
    lab.become("acme/blue/web@d1", "acme/blue/cache@d3");
    FakeStream second = new FakeStream();
    SyncSession session = lab.open(D1, second);
    session.received(agent.hello());
    SyncResponse question = second.takeAll().get(0);
    assertThat(question.hasInventoryRequest()).isTrue();
    session.received(agent.received(question).orElseThrow());
    Delta delta = onlyDelta(second);
    assertThat(delta.getUpsertsList())
        .extracting(PolicyResource::getName)
        .containsExactly("dpus/d3", "tenants/acme/networks/blue/ports/cache");
    assertThat(delta.getRemovalsList())
        .extracting(r -> r.getName())
        .containsExactly("dpus/d2", "tenants/acme/networks/blue/ports/db");
    agent.received(SyncResponse.newBuilder().setDelta(delta).build());
    assertHolds(agent);
  }

  @Test
  void aLargePolicyComesInPiecesAndOnlyTheLastIsComplete() {
    lab.become(manyPorts(1_200));
    lab.open(D1, stream).received(agent.hello());
    List<SyncResponse> messages = stream.takeAll();
    assertThat(messages).hasSize(3);
    assertThat(messages)
        .allSatisfy(
            message -> {
              Delta delta = message.getDelta();
              assertThat(delta.getUpsertsCount()).isLessThanOrEqualTo(DeltaTransfer.MAX_RESOURCES);
              assertThat(message.getSerializedSize()).isLessThan(DeltaTransfer.MAX_BYTES + 1_000);
            });
    assertThat(messages)
        .extracting(m -> m.getDelta().getComplete())
        .containsExactly(false, false, true);
    messages.forEach(agent::received);
    assertHolds(agent);
  }

  @Test
  void aChangeSendsOnlyWhatChanged() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    lab.become("acme/blue/web@d1", "acme/blue/db@d2", "acme/blue/cache@d2");
    Delta delta = onlyDelta(stream);
    assertThat(delta.getFromRevision()).isEqualTo(1);
    assertThat(delta.getToRevision()).isEqualTo(2);
    assertThat(delta.getUpsertsList())
        .extracting(PolicyResource::getName)
        .containsExactly("tenants/acme/networks/blue/ports/cache");
    assertThat(delta.getRemovalsCount()).isZero();
  }

  @Test
  void aChangeThatConcernsOthersSendsNothing() {
    lab.become(TWO);
    converse(lab.open(D1, stream));
    lab.become("acme/blue/web@d1", "acme/blue/db@d2", "beta/x/y@d2");
    assertThat(stream.takeAll()).isEmpty();
  }

  @Test
  void aChangeThatComesToNothingIsStillToBeAcked() {
    lab.become(TWO);
    converse(lab.open(D1, stream));
    stream.capacity(0);
    lab.become("acme/blue/web@d1");
    lab.become(TWO);
    stream.capacity(9);
    lab.open.get(0).ready();
    Delta delta = onlyDelta(stream);
    assertThat(delta.getToRevision()).isEqualTo(3);
    assertThat(delta.getComplete()).isTrue();
    assertThat(delta.getUpsertsCount() + delta.getRemovalsCount()).isZero();
  }

  @Test
  void whatASlowAgentMissesIsSquashed() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    stream.capacity(0);
    for (int i = 2; i < 100; i++) {
      lab.become(manyPorts(i));
    }
    assertThat(stream.takeAll()).isEmpty();
    stream.capacity(9);
    session.ready();
    Delta delta = onlyDelta(stream);
    assertThat(delta.getFromRevision()).isEqualTo(1);
    assertThat(delta.getToRevision()).isEqualTo(lab.fleet.image().revision());
    agent.received(SyncResponse.newBuilder().setDelta(delta).build());
    assertHolds(agent);
  }

  @Test
  void anUnknownDpuIsToldSo() {
    lab.become("d2");
    lab.open(D1, stream).received(agent.hello());
    assertThat(stream.endCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(stream.endText()).isEqualTo("dpus/d1 is not registered");
  }

  @Test
  void aDpuThatIsRemovedLosesItsStream() {
    lab.become("d1", "d2");
    converse(lab.open(D1, stream));
    lab.become("d2");
    assertThat(stream.endCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(lab.reports).containsExactly("connected d1", "closed d1");
  }

  @Test
  void anAgentThatIsAheadOfTheJournalIsSentNothingOlder() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    SyncRequest hello = agent.hello();
    session.received(
        hello.toBuilder().setHello(hello.getHello().toBuilder().setHeldRevision(3)).build());
    lab.become("acme/blue/web@d1");
    assertThat(stream.takeAll()).isEmpty();
    lab.become("acme/blue/web@d1", "acme/blue/db@d3");
    assertThat(onlyDelta(stream).getToRevision()).isEqualTo(3);
  }

  @Test
  void f40OneAgentAfterTheOtherGetsALargePolicy() {
    lab.become("acme/blue/web@d1", "acme/blue/db@d2");
    stream.capacity(1);
    SyncSession first = lab.open(D1, stream);
    first.received(agent.hello());
    FakeStream second = new FakeStream();
    lab.open(new DpuName("d2"), second).received(new FakeAgent(FakeAgent.Mode.STAGED).hello());
    assertThat(second.takeAll()).isEmpty();
    assertThat(lab.admission.waitingCount()).isEqualTo(1);
    stream.takeAll();
    first.ready();
    assertThat(onlyDelta(second).getComplete()).isTrue();
    assertThat(lab.admission.takenCount()).isZero();
  }

  @Test
  void f40ASlotIsFreeAgainWhenItsAgentIsGone() {
    lab.become("acme/blue/web@d1", "acme/blue/db@d2");
    stream.capacity(0);
    SyncSession first = lab.open(D1, stream);
    first.received(agent.hello());
    FakeStream gone = new FakeStream();
    SyncSession waiting = lab.open(new DpuName("d2"), gone);
    waiting.received(new FakeAgent(FakeAgent.Mode.STAGED).hello());
    waiting.closed();
    assertThat(lab.admission.waitingCount()).isZero();
    first.closed();
    assertThat(lab.admission.takenCount()).isZero();
  }

  @Test
  void f40AnAgentThatTakesNothingLosesItsSlot() {
    lab.become(TWO);
    stream.capacity(0);
    SyncSession session = lab.open(D1, stream);
    session.received(agent.hello());
    lab.nanos += SyncSession.STUCK_NANOS;
    session.endIfStuck();
    assertThat(stream.ended()).isFalse();
    lab.nanos += 1;
    session.endIfStuck();
    assertThat(stream.endCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(lab.admission.takenCount()).isZero();
  }

  @Test
  void aStreamWithoutHelloEnds() {
    SyncSession session = lab.open(D1, stream);
    lab.nanos += SyncSession.SILENT_NANOS + 1;
    session.endIfStuck();
    assertThat(stream.endCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void anAgentThatKeepsRefusingIsSentAway() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    SyncRequest inventory =
        agent
            .received(
                SyncResponse.newBuilder()
                    .setInventoryRequest(InventoryRequest.getDefaultInstance())
                    .build())
            .orElseThrow();
    for (int i = 1; i < SyncSession.MAX_REFUSALS; i++) {
      session.received(inventory);
      assertThat(stream.ended()).isFalse();
    }
    session.received(inventory);
    assertThat(stream.endCode()).isEqualTo(Status.Code.ABORTED);
  }

  @Test
  void theTimeFromCommitToVerifiedAckIsMeasured() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    lab.become("acme/blue/web@d1");
    lab.nanos += 5_000_000;
    converse(session, stream.takeAll());
    assertThat(lab.registry.get("gatehouse.verified.ack").timer().count()).isEqualTo(1);
    assertThat(lab.registry.get("gatehouse.verified.ack").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(5.0);
  }

  @Test
  void aQuestionIsAnswered() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    PortName port = PortName.parse("tenants/acme/networks/blue/ports/web");
    assertThat(session.explain(port)).isCompletedExceptionally();
    converse(session);
    CompletableFuture<PortObservation> answer = session.explain(port);
    long id = stream.takeAll().get(0).getExplainQuery().getQueryId();
    PortObservation observation = PortObservation.newBuilder().setDevice("pf0vf1").build();
    session.received(
        SyncRequest.newBuilder()
            .setExplainAnswer(ExplainAnswer.newBuilder().setQueryId(id).setObservation(observation))
            .build());
    assertThat(answer).isCompletedWithValue(observation);
  }

  @Test
  void questionsAreBoundedAndFailWithTheStream() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    PortName port = PortName.parse("tenants/acme/networks/blue/ports/web");
    List<CompletableFuture<PortObservation>> answers =
        IntStream.range(0, AgentQuestions.MAX_PENDING)
            .mapToObj(i -> session.explain(port))
            .toList();
    assertThat(session.explain(port)).isCompletedExceptionally();
    session.closed();
    assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void heartbeatsCount() {
    lab.become(TWO);
    SyncSession session = lab.open(D1, stream);
    converse(session);
    session.received(heartbeat(7, 1));
    session.received(heartbeat(8, 1));
    assertThat(stream.ended()).isFalse();
    session.received(heartbeat(10, 1));
    assertThat(stream.endText()).startsWith("heartbeat.sequence=10 is not 9");
  }

  @Test
  void theFakeStreamIsStrict() {
    stream.end(StreamEnd.shutdown());
    assertThatThrownBy(() -> stream.send(SyncResponse.getDefaultInstance()))
        .isInstanceOf(IllegalStateException.class);
  }

  private static SyncRequest heartbeat(long sequence, long revision) {
    return SyncRequest.newBuilder()
        .setHeartbeat(Heartbeat.newBuilder().setSequence(sequence).setAppliedRevision(revision))
        .build();
  }

  /** Says Hello and talks until there is nothing more to say. */
  private void converse(SyncSession session) {
    session.received(agent.hello());
    converse(session, stream.takeAll());
  }

  private void converse(SyncSession session, List<SyncResponse> messages) {
    List<SyncResponse> next = messages;
    while (!next.isEmpty()) {
      next.forEach(message -> agent.received(message).ifPresent(session::received));
      next = stream.takeAll();
    }
  }

  private void assertSealed(Delta delta, long revision) {
    assertThat(delta.getToRevision()).isEqualTo(revision);
    assertThat(delta.getInventoryHash()).isEqualTo(lab.projection(D1).inventoryHash());
    byte[] over = PolicySeals.signedBytes(D1, revision, delta.getInventoryHash());
    assertThat(delta.getSeal().getSignature().toByteArray()).isEqualTo(over);
  }

  private static Delta onlyDelta(FakeStream stream) {
    List<SyncResponse> messages = stream.takeAll();
    assertThat(messages).hasSize(1);
    return messages.get(0).getDelta();
  }

  private void assertHolds(FakeAgent holder) {
    assertThat(holder.held().keySet())
        .containsExactlyElementsOf(
            lab.projection(D1).resources().stream().map(EncodedResource::key).toList());
    assertThat(holder.hash()).isEqualTo(lab.projection(D1).inventoryHash());
  }

  private static String[] manyPorts(int count) {
    return Stream.concat(
            Stream.of("acme/blue/web@d1"),
            IntStream.range(0, count).mapToObj(i -> "acme/blue/p" + i + "@d2"))
        .toArray(String[]::new);
  }
}
