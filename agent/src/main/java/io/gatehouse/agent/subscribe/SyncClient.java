package io.gatehouse.agent.subscribe;

import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.runtime.SerialThread;
import io.gatehouse.runtime.tls.FailureText;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end of the Sync stream: keeps one open, for ever, with jittered and capped pauses in
 * between. All state is confined to one thread of its own; the disk is written on another.
 */
public final class SyncClient implements AutoCloseable, SyncStream.Listener {
  private static final Logger log = LoggerFactory.getLogger(SyncClient.class);

  private final ControlPlane controlPlane;
  private final PolicyStore store;
  private final SyncTimes times;
  private final RandomGenerator random;
  private final Subscriber subscriber;
  private final SerialThread thread = new SerialThread("sync");
  private final SerialThread disk = new SerialThread("policy-store");

  private @Nullable SyncStream stream;

  /** A stream of a newer certificate, which takes over with its first message. */
  private @Nullable SyncStream successor;

  private @Nullable Ack sentAck;
  private final Newest proof = new Newest();
  private final Newest paths = new Newest();
  private int failures;
  private int failedSuccessors;

  /** Counts the moves that were asked for or are done, so that an attempt knows that it is late. */
  private int moves;

  /** The old stream has brought policy after the successor had said what is held. */
  private boolean skippedPolicy;

  private volatile SyncStatus status = SyncStatus.NEVER;
  private volatile boolean closed;

  /**
   * Makes a client that is not connected yet.
   *
   * @param listener is told of each policy, on this client's thread
   * @param trust decides whose policy is taken over
   * @param random source of the jitter
   */
  public SyncClient(
      ControlPlane controlPlane,
      PolicyStore store,
      PolicyListener listener,
      PolicyTrust trust,
      SyncTimes times,
      RandomGenerator random) {
    this.controlPlane = controlPlane;
    this.store = store;
    this.times = times;
    this.random = random;
    this.subscriber = new Subscriber(listener, this::save, trust);
  }

  /** Restores the last good policy, then connects. Returns at once. */
  public void start() {
    thread.execute(
        () -> {
          restore();
          connect();
        });
    thread.every(times.heartbeat(), this::heartbeat);
  }

  /** How the stream is now; from any thread. */
  public SyncStatus status() {
    return status;
  }

  /** Reports what has been read back; sent when the policy is safe on disk. From any thread. */
  public void report(Ack ack) {
    thread.execute(
        () -> {
          subscriber.applied(ack);
          sendAck();
        });
  }

  /**
   * Tells of the newest proof of isolation; of those that come while there is no stream the last is
   * sent. From any thread.
   */
  public void report(IsolationAnswer newest) {
    thread.execute(
        () -> {
          proof.set(SyncRequest.newBuilder().setIsolationAnswer(newest).build());
          proof.send(stream);
        });
  }

  /** Tells what is known of the paths to other DPUs, as above. From any thread. */
  public void report(PathReport newest) {
    thread.execute(
        () -> {
          paths.set(SyncRequest.newBuilder().setPathReport(newest).build());
          paths.send(stream);
        });
  }

  /**
   * Moves to a stream of a new connection, which shows the newest certificate. The stream that is
   * open goes on until the new one is answered. From any thread.
   */
  public void moveOver() {
    thread.execute(
        () -> {
          moves++;
          openSuccessor();
        });
  }

  /** What was refused on disk for lack of its key may be good now. From any thread. */
  public void keysChanged() {
    thread.execute(
        () -> {
          if (subscriber.held().revision() == 0) {
            restore();
          }
        });
  }

  @Override
  public void close() {
    closed = true;
    thread.execute(
        () -> {
          Stream.of(Optional.ofNullable(stream), Optional.ofNullable(successor))
              .flatMap(Optional::stream)
              .forEach(SyncStream::close);
        });
    thread.close();
    disk.close();
  }

  @Override
  public void received(SyncStream from, SyncResponse message) {
    if (from == successor) {
      promote();
    }
    if (from != stream) {
      return;
    }
    if (successor != null && message.hasDelta()) {
      // The successor has said what is held: that must not change before it is answered.
      skippedPolicy = true;
      return;
    }
    status = status.heard(System.nanoTime());
    switch (message.getMessageCase()) {
      case DELTA -> subscriber.received(message.getDelta()).forEach(this::send);
      case INVENTORY_REQUEST -> subscriber.inventory().forEach(this::send);
      case EXPLAIN_QUERY, ISOLATION_QUERY, PATH_QUERY -> reply(from, message);
      case RENEWAL_REQUEST -> controlPlane.renewalAsked(message.getRenewalRequest());
      case MESSAGE_NOT_SET -> log.warn("the control plane sent a message of a kind not known here");
    }
    status = status.refusing(subscriber.refusal());
    if (subscriber.refusal().isEmpty()) {
      // A control plane whose policy is refused is not to be asked for it again at once.
      failures = 0;
    }
    sendAck();
    sendNewest();
  }

  @Override
  public void ended(SyncStream from, Status reason) {
    from.close();
    if (from == successor) {
      successorFailed(reason);
      return;
    }
    if (from != stream) {
      return;
    }
    if (successor != null) {
      // Its Hello has come first: the control plane keeps one stream a DPU.
      promote();
      return;
    }
    stream = null;
    nothingSent();
    lost(reason);
    if (reason.getCode() == Status.Code.NOT_FOUND) {
      subscriber.notRegistered();
    } else {
      subscriber.disconnected();
    }
    later();
  }

  private void restore() {
    try {
      subscriber.restore(store);
    } catch (IOException e) {
      log.atError().setCause(e).log("the stored policy cannot be read");
    }
    status = status.refusing(subscriber.refusal());
  }

  private SyncStream open() throws IOException {
    return SyncStream.open(
        controlPlane.connect(),
        controlPlane.introduction().mergeFrom(subscriber.hello().build()).build(),
        thread,
        this);
  }

  private void openSuccessor() {
    SyncStream waiting = successor;
    if (stream == null || closed) {
      // Whatever is tried next shows the newest certificate anyway.
      return;
    }
    if (waiting != null) {
      successor = null;
      waiting.close();
    }
    try {
      skippedPolicy = false;
      successor = open();
    } catch (IOException e) {
      successorFailed(Status.UNAUTHENTICATED.withDescription(e.getMessage()));
    }
  }

  private void successorFailed(Status reason) {
    successor = null;
    log.atWarn()
        .addKeyValue("reason", FailureText.of(reason, Instant.now()))
        .log("the stream cannot move to a new connection yet; the old one goes on");
    if (skippedPolicy) {
      subscriber.inventory().forEach(this::send);
    }
    int move = moves;
    thread.after(
        times.reconnect().delay(failedSuccessors++, random),
        () -> {
          if (move == moves) {
            openSuccessor();
          }
        });
  }

  private void promote() {
    SyncStream old = stream;
    stream = successor;
    successor = null;
    failedSuccessors = 0;
    moves++;
    nothingSent();
    subscriber.disconnected();
    if (old != null) {
      old.close();
    }
    // One that was sent on the old stream a moment ago may not have been heard.
    heartbeat();
    sendAck();
    log.info("the stream has moved to a new connection");
  }

  private void connect() {
    if (closed) {
      return;
    }
    try {
      stream = open();
    } catch (IOException e) {
      lost(Status.UNAUTHENTICATED.withDescription(e.getMessage()));
      later();
    }
  }

  private void lost(Status reason) {
    String text = FailureText.of(reason, Instant.now());
    if (failures == 0) {
      log.atWarn()
          .addKeyValue("reason", text)
          .log("no control plane; the policy held stays in force");
    }
    status = status.lost(text, System.nanoTime());
  }

  private void later() {
    Duration delay = times.reconnect().delay(failures, random);
    failures++;
    thread.after(delay, this::connect);
  }

  private void heartbeat() {
    SyncStream open = stream;
    if (open != null) {
      open.heartbeat(subscriber.sendableAck().map(Ack::getAppliedRevision).orElse(0L));
    }
  }

  private CompletableFuture<SyncRequest.Builder> answer(SyncResponse question) {
    SyncRequest.Builder answer = SyncRequest.newBuilder();
    if (question.hasExplainQuery()) {
      return controlPlane.explain(question.getExplainQuery()).thenApply(answer::setExplainAnswer);
    }
    return question.hasIsolationQuery()
        ? controlPlane.prove(question.getIsolationQuery()).thenApply(answer::setIsolationAnswer)
        : controlPlane.probePath(question.getPathQuery()).thenApply(answer::setPathAnswer);
  }

  private void reply(SyncStream to, SyncResponse question) {
    CompletableFuture<?> unused =
        answer(question)
            .whenComplete(
                (answer, failure) ->
                    thread.execute(
                        () -> {
                          if (failure == null && to == stream) {
                            to.send(answer.build());
                          } else if (failure != null) {
                            log.atWarn().setCause(failure).log("a question is not answered");
                          }
                        }));
  }

  private void sendNewest() {
    proof.send(stream);
    paths.send(stream);
  }

  private void nothingSent() {
    sentAck = null;
    proof.forgetSent();
    paths.forgetSent();
  }

  private void send(Inventory inventory) {
    SyncStream open = stream;
    if (open != null) {
      open.send(SyncRequest.newBuilder().setInventory(inventory).build());
    }
  }

  private void sendAck() {
    SyncStream open = stream;
    Optional<Ack> ack = subscriber.sendableAck();
    if (open == null || ack.isEmpty() || ack.get().equals(sentAck)) {
      return;
    }
    sentAck = ack.get();
    open.send(SyncRequest.newBuilder().setAck(ack.get()).build());
  }

  private void save(StoredPolicy policy) {
    disk.execute(
        () -> {
          try {
            store.save(policy);
          } catch (IOException e) {
            // Not acked, so the control plane knows; the next policy tries again.
            log.atError().setCause(e).log("the policy cannot be written to disk");
            return;
          }
          thread.execute(
              () -> {
                subscriber.persisted(policy.getRevision());
                sendAck();
              });
        });
  }
}
