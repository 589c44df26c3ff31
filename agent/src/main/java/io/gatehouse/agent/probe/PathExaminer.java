package io.gatehouse.agent.probe;

import io.gatehouse.agent.path.tunnel.SharedNetworks;
import io.gatehouse.agent.path.tunnel.TunnelTestRun;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.agent.state.path.PathMeasurement;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures a path because somebody asks: a search anew and tests of the tunnels side by side, then
 * the hop, if the path is too small. One path at a time; few may wait. Safe for use by many
 * threads.
 */
public final class PathExaminer {
  /** Requests that wait for the one before: each may take half a minute. */
  static final int MAX_WAITING = 2;

  private final Supplier<Policy> policy;
  private final PathProber prober;
  private final HopFinder hops;
  private final LongSupplier random;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  /**
   * Makes an examiner.
   *
   * @param random source of nonces that cannot be guessed
   */
  public PathExaminer(
      Supplier<Policy> policy, PathProber prober, HopFinder hops, LongSupplier random) {
    this.policy = policy;
    this.prober = prober;
    this.hops = hops;
    this.random = random;
  }

  /** Why a path is not measured. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
      super(reason, null, false, false);
    }
  }

  /**
   * Measures.
   *
   * @param only tests the tunnel of this network alone, if it is given
   * @return fails with {@link RefusedException} if there is no such path, or too many are asked for
   */
  public CompletableFuture<PathMeasurement> examine(DpuName peer, Optional<NetworkName> only) {
    CompletableFuture<PathMeasurement> done = new CompletableFuture<>();
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING) {
        return CompletableFuture.failedFuture(
            new RefusedException("other paths are being measured; ask again later"));
      }
      waiting.add(() -> begin(peer, only, done));
    }
    CompletableFuture<?> unused = done.whenComplete((result, failure) -> ended());
    next();
    return done;
  }

  private void ended() {
    synchronized (this) {
      busy = false;
    }
    next();
  }

  private void next() {
    Runnable request;
    synchronized (this) {
      if (busy || waiting.isEmpty()) {
        return;
      }
      busy = true;
      request = waiting.remove();
    }
    request.run();
  }

  private void begin(
      DpuName peer, Optional<NetworkName> only, CompletableFuture<PathMeasurement> done) {
    Policy now = policy.get();
    VtepPolicy vtep = now.vteps().get(peer);
    List<NetworkPolicy> networks = SharedNetworks.of(now, peer, only);
    if (only.isPresent() && networks.isEmpty()) {
      done.completeExceptionally(
          new RefusedException(peer + " and this DPU do not both have ports in " + only.get()));
      return;
    }
    CompletableFuture<List<TunnelTest>> tests =
        vtep == null || networks.isEmpty()
            ? CompletableFuture.completedFuture(List.of())
            : test(vtep.address(), networks);
    CompletableFuture<?> unused =
        prober
            .measure(peer)
            .thenCompose(path -> withHop(peer, path))
            .thenCombine(tests, (found, tested) -> measurement(found, tested, networks.size()))
            .whenComplete(
                (measured, failure) -> {
                  if (failure == null) {
                    done.complete(measured);
                  } else {
                    done.completeExceptionally(cause(failure));
                  }
                });
  }

  private CompletableFuture<List<TunnelTest>> test(IpAddress vtep, List<NetworkPolicy> networks) {
    return prober.test(now -> new TunnelTestRun(vtep, networks, random, now));
  }

  private record WithHop(PathStatus path, Optional<PathHop> hop) {}

  private CompletableFuture<WithHop> withHop(DpuName peer, Optional<PathStatus> path) {
    if (path.isEmpty()) {
      return CompletableFuture.failedFuture(
          new RefusedException(peer + " shares no network with this DPU"));
    }
    PathStatus status = path.get();
    return status.verdict().state() == PathState.BLACK_HOLE
        ? hops.find(peer, status).thenApply(hop -> new WithHop(status, Optional.of(hop)))
        : CompletableFuture.completedFuture(new WithHop(status, Optional.empty()));
  }

  private static PathMeasurement measurement(WithHop found, List<TunnelTest> tests, int networks) {
    String missing =
        networks > TunnelTestRun.MAX_NETWORKS
            ? "of "
                + networks
                + " networks the first "
                + TunnelTestRun.MAX_NETWORKS
                + " were tested"
            : "";
    return new PathMeasurement(found.path(), found.hop(), tests, missing);
  }

  private static Throwable cause(Throwable failure) {
    return failure.getCause() == null ? failure : failure.getCause();
  }
}
