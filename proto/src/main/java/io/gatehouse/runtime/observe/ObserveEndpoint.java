package io.gatehouse.runtime.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gatehouse.model.net.InvalidValueException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP on a loopback address: {@code /metrics} (Prometheus text), {@code /livez} (200 while the
 * process answers), {@code /readyz} (503 with one line for each check that is not met). Two
 * threads, short queues, 5 s for a request.
 */
public final class ObserveEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ObserveEndpoint.class);
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int THREADS = 2;
  private static final int QUEUE = 32;

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final PrometheusMeterRegistry registry;
  private final List<ReadinessCheck> checks;

  private ObserveEndpoint(
      HttpServer server, PrometheusMeterRegistry registry, List<ReadinessCheck> checks) {
    this.server = server;
    this.registry = registry;
    this.checks = List.copyOf(checks);
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            ObserveEndpoint::thread,
            new ThreadPoolExecutor.CallerRunsPolicy());
  }

  /**
   * Binds and answers until closed.
   *
   * @param address a loopback address; port 0 lets the system choose
   * @throws IOException if the address cannot be bound
   */
  public static ObserveEndpoint start(
      InetSocketAddress address, PrometheusMeterRegistry registry, List<ReadinessCheck> checks)
      throws IOException {
    if (address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
      throw new InvalidValueException("observe.address", address, "is not a loopback address");
    }
    limitRequests();
    ObserveEndpoint endpoint =
        new ObserveEndpoint(HttpServer.create(address, QUEUE), registry, checks);
    checks.forEach(check -> measure(check, registry));
    endpoint.serve();
    return endpoint;
  }

  /** Where it listens, with the port that the system chose. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Stops at once; requests under way are cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve() {
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The server reads these when its class is loaded, and only there can they be set. */
  private static void limitRequests() {
    System.setProperty("sun.net.httpserver.maxReqTime", "5");
    System.setProperty("sun.net.httpserver.maxRspTime", "5");
    System.setProperty("jdk.httpserver.maxConnections", "64");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, PLAIN, "only GET and HEAD\n");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/metrics" -> send(exchange, 200, PROMETHEUS, registry.scrape());
        case "/livez" -> send(exchange, 200, PLAIN, "ok\n");
        case "/readyz" -> readiness(exchange);
        default -> send(exchange, 404, PLAIN, "only /metrics, /livez and /readyz\n");
      }
    }
  }

  private void readiness(HttpExchange exchange) throws IOException {
    StringBuilder problems = new StringBuilder();
    for (ReadinessCheck check : checks) {
      problem(check).ifPresent(why -> problems.append(check.name() + ": " + why + "\n"));
    }
    if (problems.isEmpty()) {
      send(exchange, 200, PLAIN, "ok\n");
      return;
    }
    send(exchange, 503, PLAIN, problems.toString());
  }

  /** What /readyz says, for those who watch metrics only. */
  private static void measure(ReadinessCheck check, MeterRegistry registry) {
    Gauge.builder("gatehouse.ready", check, c -> problem(c).isEmpty() ? 1 : 0)
        .description("1 while a check of /readyz is met")
        .tag("check", check.name())
        .strongReference(true)
        .register(registry);
  }

  /** A check that fails is a bug, and an answer all the same: what is unknown is not ready. */
  private static Optional<String> problem(ReadinessCheck check) {
    try {
      return check.problem().get();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).addKeyValue("check", check.name()).log("Readiness check failed");
      return Optional.of("the check itself failed: " + e);
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "observe");
    thread.setDaemon(true);
    return thread;
  }
}
