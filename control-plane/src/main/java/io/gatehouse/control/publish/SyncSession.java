package io.gatehouse.control.publish;

import com.google.protobuf.ByteString;
import io.gatehouse.control.publish.projection.PolicyDelta;
import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Heartbeat;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.InventoryRequest;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.wire.PolicyVersions;
import io.grpc.StatusRuntimeException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One agent's stream, as a state machine that knows no transport. It remembers the projection that
 * it sent last and computes each delta from there to the newest one when the transport is ready:
 * whatever came between is squashed, and nothing queues up behind a slow agent.
 *
 * <p>Safe for use by many threads; what it sends is computed and sent on the context's executor.
 */
public final class SyncSession {
  /** How long an agent may take nothing of a transfer that holds a slot. */
  static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How long an agent may take to say Hello. */
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Inventories in a row, without an ack, after which the two will not agree on this stream. */
  static final int MAX_REFUSALS = 3;

  private static final ByteString EMPTY_HASH =
      PolicyVersions.inventoryHash(Collections.emptySortedMap());
  private static final SyncResponse INVENTORY_REQUEST =
      SyncResponse.newBuilder().setInventoryRequest(InventoryRequest.getDefaultInstance()).build();
  private static final long NEVER = 0;

  private enum Phase {
    /** Nothing was said. */
    SILENT,
    /** Hello was said; or it was said by an agent that is ahead of the journal as known here. */
    GREETED,
    /** The agent holds something else and was asked what. */
    ASKED,
    /** It is known what the agent holds; the transfer needs a slot. */
    QUEUED,
    /** Policy flows. */
    OPEN,
    ENDED
  }

  private final DpuName dpu;
  private final SessionContext context;
  private final SyncOutbound out;
  private final PolicyStream policy;
  private final SnapshotSlot slot;
  private final long openedNanos;
  private final MessageRate rate;
  private final InventoryIntake intake = new InventoryIntake();
  private final AgentQuestions questions;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicLong changedSinceNanos = new AtomicLong(NEVER);

  private Phase phase = Phase.SILENT;
  private Hello hello = Hello.getDefaultInstance();
  private Map<String, Long> held = Map.of();
  private long heartbeats;
  private int refusals;

  SyncSession(DpuName dpu, SessionContext context, SyncOutbound out) {
    this.dpu = dpu;
    this.context = context;
    this.out = out;
    this.questions = new AgentQuestions(dpu, out);
    this.policy = new PolicyStream(dpu, context, out);
    this.slot = new SnapshotSlot(context.admission(), this::wake);
    this.openedNanos = context.nanoClock().getAsLong();
    this.rate = new MessageRate(openedNanos);
  }

  /** The DPU, by its certificate. */
  public DpuName dpu() {
    return dpu;
  }

  /** Takes one message of the agent; one that is out of bounds ends the stream. */
  synchronized void received(SyncRequest request) {
    if (phase == Phase.ENDED) {
      return;
    }
    try {
      accept(request);
    } catch (InvalidValueException e) {
      end(StreamEnd.invalid(e));
    }
  }

  /** The transport can take more. */
  void ready() {
    wake();
  }

  /**
   * The DPU's policy has changed, or may have. Never blocks.
   *
   * @param sinceNanos when, by the context's clock
   */
  void policyChanged(long sinceNanos) {
    changedSinceNanos.compareAndSet(NEVER, sinceNanos == NEVER ? 1 : sinceNanos);
    wake();
  }

  /** The transport has ended by itself. */
  synchronized void closed() {
    finish(StreamEnd.unavailable(dpu + " has closed its stream"));
  }

  /** The agent has said all that it had to say. */
  synchronized void halfClosed() {
    if (phase != Phase.ENDED) {
      out.complete();
      closed();
    }
  }

  /** Ends the stream from this side. */
  synchronized void end(StatusRuntimeException reason) {
    if (phase != Phase.ENDED) {
      out.end(reason);
      finish(reason);
    }
  }

  /** Ends the stream if its agent says nothing at all, or holds a slot and takes nothing. */
  synchronized void endIfStuck() {
    if (phase == Phase.SILENT && context.nanoClock().getAsLong() - openedNanos > SILENT_NANOS) {
      end(StreamEnd.silent(dpu));
      return;
    }
    long idleNanos = context.nanoClock().getAsLong() - policy.progressNanos();
    if (slot.isGiven() && policy.hasMore() && idleNanos > STUCK_NANOS) {
      end(StreamEnd.stuck(dpu));
    }
  }

  /** Asks the agent what runs for a port; fails if the stream is not open or asked too much. */
  public synchronized CompletableFuture<PortObservation> explain(PortName port) {
    return isTalking() ? questions.explain(port.toString()) : notConnected();
  }

  /** Asks the agent for a proof of isolation; fails as {@link #explain} does. */
  public synchronized CompletableFuture<IsolationAnswer> prove(String scope) {
    return isTalking() ? questions.prove(scope) : notConnected();
  }

  /** Asks the agent to measure a path away from its DPU; fails as {@link #explain} does. */
  public synchronized CompletableFuture<PathAnswer> probePath(String peer, String network) {
    return isTalking() ? questions.probePath(peer, network) : notConnected();
  }

  private boolean isTalking() {
    return phase != Phase.ENDED && phase != Phase.SILENT;
  }

  private <A> CompletableFuture<A> notConnected() {
    return CompletableFuture.failedFuture(StreamEnd.unavailable(dpu + " is not connected here"));
  }

  /**
   * Asks the agent to renew its certificate; without effect on a stream that is not open.
   *
   * @param spreadSeconds of which the agent waits a random part
   */
  public synchronized void askRenewal(int spreadSeconds) {
    if (isTalking()) {
      RenewalRequest request = RenewalRequest.newBuilder().setSpreadSeconds(spreadSeconds).build();
      out.send(SyncResponse.newBuilder().setRenewalRequest(request).build());
    }
  }

  /** The agent has opened a newer stream, to another control plane. */
  public void replacedElsewhere() {
    end(StreamEnd.replaced(dpu));
  }

  private void accept(SyncRequest request) {
    if (!rate.allows(context.nanoClock().getAsLong())) {
      throw new InvalidValueException(
          "message", "more than " + MessageRate.PER_SECOND + " a second", "are too many");
    }
    if ((phase == Phase.SILENT) != request.hasHello()) {
      throw new InvalidValueException(
          "hello", request.getMessageCase(), "is out of order: hello comes first, and only once");
    }
    switch (request.getMessageCase()) {
      case HELLO -> accept(request.getHello());
      case ACK -> accept(request.getAck());
      case HEARTBEAT -> accept(request.getHeartbeat());
      case INVENTORY -> accept(request.getInventory());
      case EXPLAIN_ANSWER -> questions.answered(request.getExplainAnswer());
      case ISOLATION_ANSWER -> accept(request.getIsolationAnswer());
      case PATH_REPORT -> accept(request.getPathReport());
      case PATH_ANSWER -> questions.answered(request.getPathAnswer());
      case MESSAGE_NOT_SET ->
          throw new InvalidValueException(
              "message", "", "is not readable, or of no kind known here");
    }
  }

  private void accept(PathReport report) {
    AgentMessageBounds.check(report);
    context.reports().pathsChanged(this, report);
  }

  /** Whose proof it is, the stream says. */
  private void accept(IsolationAnswer answer) {
    AgentMessageBounds.check(answer);
    IsolationAnswer named =
        answer.hasProof()
            ? answer.toBuilder()
                .setProof(answer.getProof().toBuilder().setDpu(dpu.toString()))
                .build()
            : answer;
    if (named.getQueryId() != 0) {
      questions.answered(named);
    } else if (named.hasProof()) {
      context.reports().proved(this, named.getProof());
    }
  }

  private void accept(Hello message) {
    AgentMessageBounds.check(message);
    hello = message;
    policy.knows(message.getHeldRevision());
    phase = Phase.GREETED;
    context.reports().connected(this, message);
    wake();
  }

  private void accept(Ack ack) {
    AgentMessageBounds.check(ack, policy.newestRevision());
    policy.verified(ack.getAppliedRevision());
    if (policy.isHeld(ack.getHeldRevision())) {
      refusals = 0;
    }
    if (ack.getApplyNanos() > 0) {
      context.metrics().applied(ack.getApplyNanos());
    }
    context.reports().acked(this, ack);
  }

  private void accept(Heartbeat heartbeat) {
    AgentMessageBounds.check(heartbeat, policy.newestRevision());
    heartbeats++;
    if (heartbeats > 1 && heartbeat.getSequence() != heartbeats) {
      throw new InvalidValueException(
          "heartbeat.sequence", heartbeat.getSequence(), "is not " + heartbeats);
    }
    heartbeats = heartbeat.getSequence();
    policy.verified(heartbeat.getAppliedRevision());
    context.reports().heartbeat(this, heartbeat.getAppliedRevision());
  }

  private void accept(Inventory inventory) {
    if (phase == Phase.GREETED) {
      throw new InvalidValueException("inventory", "", "was not asked for");
    }
    AgentMessageBounds.check(inventory);
    Optional<Map<String, Long>> whole = intake.add(inventory);
    if (whole.isEmpty()) {
      return;
    }
    if (phase == Phase.OPEN && ++refusals >= MAX_REFUSALS) {
      end(StreamEnd.noAgreement(dpu));
      return;
    }
    policy.knows(inventory.getHeldRevision());
    queue(whole.get());
  }

  /** Has the transfer wait for a slot, given what the agent holds. */
  private void queue(Map<String, Long> inventory) {
    held = inventory;
    phase = Phase.QUEUED;
    slot.request();
    wake();
  }

  private void wake() {
    if (scheduled.compareAndSet(false, true)) {
      context.executor().execute(this::pump);
    }
  }

  private synchronized void pump() {
    scheduled.set(false);
    if (phase == Phase.GREETED) {
      greet();
    }
    if (phase == Phase.QUEUED && slot.isGiven()) {
      resync();
    }
    while (phase == Phase.OPEN && out.isReady()) {
      if (policy.hasMore()) {
        policy.sendNext();
        continue;
      }
      // Ready again after the last message: the transport has taken all of it.
      slot.release();
      if (!beginChange()) {
        return;
      }
    }
  }

  private void greet() {
    changedSinceNanos.set(NEVER);
    Optional<Projection> newest = project();
    if (newest.isEmpty()) {
      return;
    }
    Projection target = newest.get();
    if (hello.getHeldRevision() > target.revision()) {
      // Another control plane has told it more than is known here yet; older policy would undo
      // that.
      context.source().awaitRevision(this, hello.getHeldRevision());
      return;
    }
    if (hello.getInventoryHash().equals(target.inventoryHash())) {
      policy.begin(DeltaTransfer.Kind.UNCHANGED, target, PolicyDelta.NOTHING);
      phase = Phase.OPEN;
      return;
    }
    if (hello.getInventoryHash().equals(EMPTY_HASH)) {
      queue(Map.of());
      return;
    }
    phase = Phase.ASKED;
    out.send(INVENTORY_REQUEST);
  }

  private void resync() {
    changedSinceNanos.set(NEVER);
    DeltaTransfer.Kind kind =
        held.isEmpty() ? DeltaTransfer.Kind.SNAPSHOT : DeltaTransfer.Kind.RESYNC;
    project()
        .ifPresent(
            target -> {
              policy.begin(kind, target, target.since(held));
              phase = Phase.OPEN;
            });
    held = Map.of();
  }

  private boolean beginChange() {
    long since = changedSinceNanos.getAndSet(NEVER);
    return since != NEVER
        && project().map(target -> policy.beginChange(target, since)).orElse(false);
  }

  private Optional<Projection> project() {
    Optional<Projection> newest = context.source().project(dpu);
    if (newest.isEmpty()) {
      end(StreamEnd.notRegistered(dpu));
    }
    return newest;
  }

  private void finish(StatusRuntimeException reason) {
    if (phase == Phase.ENDED) {
      return;
    }
    phase = Phase.ENDED;
    slot.release();
    questions.failAll(reason);
    context.reports().closed(this);
  }
}
