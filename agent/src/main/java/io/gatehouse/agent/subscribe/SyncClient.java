package io.gatehouse.agent.subscribe;

import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.runtime.Backoff;
import io.gatehouse.runtime.SerialThread;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end of the Sync stream: keeps one open, for ever, with jittered and capped pauses in
 * between. All state is confined to one thread of its own; the disk is written on another.
 */
public final class SyncClient implements AutoCloseable, SyncStream.Listener {
  private static final Logger log = LoggerFactory.getLogger(SyncClient.class);

  private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

  private final ControlPlane controlPlane;
  private final PolicyStore store;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final Subscriber subscriber;
  private final SerialThread thread = new SerialThread("sync");
  private final SerialThread disk = new SerialThread("policy-store");

  private @Nullable SyncStream stream;
  private @Nullable Ack sentAck;
  private int failures;
  private volatile SyncStatus status = SyncStatus.NEVER;

  /**
   * Makes a client that is not connected yet.
   *
   * @param listener is told of each policy, on this client's thread
   * @param random source of the jitter
   */
  public SyncClient(
      ControlPlane controlPlane,
      PolicyStore store,
      PolicyListener listener,
      Backoff backoff,
      RandomGenerator random) {
    this.controlPlane = controlPlane;
    this.store = store;
    this.backoff = backoff;
    this.random = random;
    this.subscriber = new Subscriber(listener, this::save);
  }

  /** Restores the last good policy, then connects. Returns at once. */
  public void start() {
    thread.execute(
        () -> {
          restore();
          connect();
        });
    thread.every(HEARTBEAT_INTERVAL, this::heartbeat);
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

  @Override
  public void close() {
    thread.execute(
        () -> {
          SyncStream open = stream;
          if (open != null) {
            open.close();
          }
        });
    thread.close();
    disk.close();
  }

  @Override
  public void received(SyncStream from, SyncResponse message) {
    if (from != stream) {
      return;
    }
    failures = 0;
    status = status.heard(System.nanoTime());
    switch (message.getMessageCase()) {
      case DELTA -> subscriber.received(message.getDelta()).forEach(this::send);
      case INVENTORY_REQUEST -> subscriber.inventory().forEach(this::send);
      case EXPLAIN_QUERY -> explain(from, message.getExplainQuery());
      case RENEWAL_REQUEST, MESSAGE_NOT_SET ->
          log.warn("the control plane sent a message of a kind not known here");
    }
    sendAck();
  }

  @Override
  public void ended(SyncStream from, Status reason) {
    from.close();
    if (from != stream) {
      return;
    }
    stream = null;
    sentAck = null;
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
  }

  private void connect() {
    try {
      stream =
          SyncStream.open(
              controlPlane.connect(),
              controlPlane.introduction().mergeFrom(subscriber.hello().build()).build(),
              thread,
              this);
    } catch (IOException e) {
      lost(Status.UNAUTHENTICATED.withDescription(e.getMessage()));
      later();
    }
  }

  private void lost(Status reason) {
    String text = reason.getCode() + ": " + Optional.ofNullable(reason.getDescription()).orElse("");
    if (failures == 0) {
      log.atWarn()
          .addKeyValue("reason", text)
          .log("no control plane; the policy held stays in force");
    }
    status = status.lost(text, System.nanoTime());
  }

  private void later() {
    Duration delay = backoff.delay(failures, random);
    failures++;
    thread.after(delay, this::connect);
  }

  private void heartbeat() {
    SyncStream open = stream;
    if (open != null) {
      open.heartbeat(subscriber.sendableAck().map(Ack::getAppliedRevision).orElse(0L));
    }
  }

  private void explain(SyncStream from, ExplainQuery query) {
    CompletableFuture<?> unused =
        controlPlane
            .explain(query)
            .whenComplete(
                (answer, failure) ->
                    thread.execute(
                        () -> {
                          if (failure == null && from == stream) {
                            from.send(SyncRequest.newBuilder().setExplainAnswer(answer).build());
                          } else if (failure != null) {
                            log.atWarn().setCause(failure).log("a port could not be explained");
                          }
                        }));
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
