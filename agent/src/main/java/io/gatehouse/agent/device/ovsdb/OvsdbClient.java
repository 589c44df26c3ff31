package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A replica of one database and transactions on it, over one connection that is made again whenever
 * it breaks. Every new connection starts with a full snapshot.
 *
 * <p>Thread-safe. State lives on one event loop; the listener, and whatever is attached to a future
 * without an executor, runs there and must not block. A transaction's future completes after the
 * snapshot that shows its changes (the server sends in this order). Futures fail with {@link
 * DeviceException}: REJECTED, the server said no and changed nothing; UNREACHABLE, the message says
 * whether nothing was sent or the outcome is unknown; PROTOCOL, the answer made no sense.
 */
public final class OvsdbClient implements AutoCloseable {
  private final OvsdbConfig config;
  private final EventLoop loop;
  private final ScheduledExecutorService timers;
  private final RandomGenerator random;
  private final OvsdbListener listener;
  private final OvsdbConnector connector;
  private final SnapshotWaits waits;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile Optional<OvsdbSnapshot> snapshot = Optional.empty();

  // On the event loop only.
  private @Nullable MonitorSession session;
  private @Nullable JsonRpcSession connection;
  private boolean closed;
  private int failures;

  /**
   * Connects nothing yet.
   *
   * @param tls needed for {@code ssl:} addresses; it decides whom to trust, and whether the
   *     certificate must name the address
   * @param loops of epoll; one of its loops is used, and none is shut down
   * @param timers wake the client for the next attempt; nothing runs on their threads
   * @param random of the pauses between attempts, called on the event loop
   */
  public OvsdbClient(
      OvsdbConfig config,
      Optional<SslContext> tls,
      EventLoopGroup loops,
      ScheduledExecutorService timers,
      RandomGenerator random,
      OvsdbListener listener) {
    this.config = config;
    this.loop = loops.next();
    this.timers = timers;
    this.random = random;
    this.listener = listener;
    this.connector = new OvsdbConnector(config, tls);
    this.waits = new SnapshotWaits(loop, config.bounds().calls());
  }

  public OvsdbConfig config() {
    return config;
  }

  /** Starts to connect, and returns. */
  public void start() {
    if (started.getAndSet(true)) {
      throw new IllegalStateException("started twice");
    }
    loop.execute(this::connect);
  }

  /** The newest state, or empty while it is unknown. */
  public Optional<OvsdbSnapshot> snapshot() {
    return snapshot;
  }

  /** Commits all of the operations or none (RFC 7047 §4.1.3). */
  public CompletableFuture<TransactionResult> transact(List<Operation> operations) {
    List<Operation> sent = List.copyOf(operations);
    byte[] params = JsonRpcSession.encode(TransactCodec.write(config.database(), sent));
    return call("transact", params, result -> TransactCodec.read(sent, result));
  }

  /** The names of the server's databases (RFC 7047 §4.1.1). */
  public CompletableFuture<List<String>> listDatabases() {
    return call("list_dbs", "[]".getBytes(StandardCharsets.UTF_8), OvsdbClient::readNames);
  }

  /**
   * The first snapshot, the present one included, that meets the condition. A reconnect does not
   * end the wait; the limit does, with UNREACHABLE and {@code otherwise} in the message.
   *
   * @param condition called on the event loop
   */
  public CompletableFuture<OvsdbSnapshot> await(
      Predicate<OvsdbSnapshot> condition, Duration limit, String otherwise) {
    CompletableFuture<OvsdbSnapshot> met = new CompletableFuture<>();
    onLoop(met, () -> waits.add(met, condition, limit, otherwise));
    return met;
  }

  /** Ends the session; calls and waits fail with UNREACHABLE. The listener hears nothing more. */
  @Override
  public void close() {
    try {
      loop.execute(this::closeNow);
    } catch (RejectedExecutionException e) {
      snapshot = Optional.empty(); // The loop is gone, and the connection with it.
    }
  }

  private interface Reader<T> {
    T read(JsonNode result) throws DeviceException;
  }

  private <T> CompletableFuture<T> call(String method, byte[] params, Reader<T> reader) {
    CompletableFuture<T> done = new CompletableFuture<>();
    onLoop(
        done,
        () -> {
          if (session == null) {
            done.completeExceptionally(
                unreachable(method + " was not sent, there is no connection"));
            return;
          }
          var unused =
              session
                  .call(method, params)
                  .whenComplete((result, thrown) -> finish(done, reader, result, thrown));
        });
    return done;
  }

  private <T> void finish(
      CompletableFuture<T> done,
      Reader<T> reader,
      @Nullable JsonNode result,
      @Nullable Throwable thrown) {
    if (result == null) {
      done.completeExceptionally(
          thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown);
      return;
    }
    try {
      done.complete(reader.read(result));
    } catch (DeviceException e) {
      if (e.kind() == Kind.PROTOCOL && connection != null) {
        connection.drop(e);
      }
      done.completeExceptionally(e);
    }
  }

  private void onLoop(CompletableFuture<?> future, Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(unreachable("the event loop is shut down"));
    }
  }

  private void connect() {
    if (closed) {
      return;
    }
    session = new MonitorSession(config, new Follower());
    connection = new JsonRpcSession(config, session);
    connector.connect(loop, connection);
  }

  private void retryLater() {
    Duration wait = config.times().retries().delay(failures++, random);
    var unused =
        timers.schedule(() -> loop.execute(this::connect), wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void closeNow() {
    closed = true;
    snapshot = Optional.empty();
    if (connection != null) {
      connection.drop(unreachable("closed by this side"));
    }
    waits.fail(unreachable("closed by this side"));
  }

  private DeviceException unreachable(String reason) {
    return new DeviceException(Kind.UNREACHABLE, config.address() + ": " + reason);
  }

  private static List<String> readNames(JsonNode result) throws DeviceException {
    if (!result.isArray()) {
      throw new DeviceException(Kind.PROTOCOL, "list_dbs: the result is not an array");
    }
    List<String> names = new ArrayList<>();
    result.forEach(name -> names.add(name.asText()));
    return names;
  }

  /** Keeps the snapshot and the connection going. */
  private final class Follower implements MonitorSession.Owner {
    @Override
    public void synced(MonitorSession from, OvsdbSnapshot first) {
      failures = 0;
      snapshot = Optional.of(first);
      listener.connected(first);
      waits.offer(first);
    }

    @Override
    public void changed(MonitorSession from, OvsdbSnapshot next) {
      snapshot = Optional.of(next);
      listener.changed(next);
      waits.offer(next);
    }

    @Override
    public void ended(MonitorSession from, DeviceException cause) {
      session = null;
      connection = null;
      snapshot = Optional.empty();
      waits.forget();
      if (!closed) {
        retryLater();
        listener.disconnected(cause);
      }
    }
  }
}
