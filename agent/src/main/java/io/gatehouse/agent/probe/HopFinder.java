package io.gatehouse.agent.probe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.path.TracerouteReader;
import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.SerialThread;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hop behind which a path is too small: for each path with a black hole, one after the
 * other, and not more often than it has to. Safe for use by many threads.
 */
public final class HopFinder implements AutoCloseable {
  /** Between two looks at the same path, unless somebody asks. */
  static final Duration PACE = Duration.ofMinutes(5);

  /** What traces a path; may block. */
  public interface Tracer extends AutoCloseable {
    String trace(IpAddress own, IpAddress to, int sizeBytes) throws DeviceException;

    /** Ends a trace that is under way, from another thread. */
    @Override
    void close();
  }

  /** A black hole, and what was found of it. */
  private record Found(PathStatus path, PathHop hop) {}

  private final IpAddress own;
  private final Tracer tracer;
  private final LongSupplier nanoTime;
  private final Runnable listener;
  private final SerialThread thread = new SerialThread("hop-finder");
  private final Map<DpuName, Found> found = new HashMap<>();
  private final Map<DpuName, Long> lookedAt = new HashMap<>();
  private final Set<DpuName> waiting = new LinkedHashSet<>();
  private boolean busy;
  private boolean comesBack;
  private SortedMap<DpuName, PathStatus> paths = Collections.emptySortedMap();

  /**
   * Makes a finder.
   *
   * @param own address of this DPU's VTEP
   * @param listener is told that another hop is known, on the finder's thread
   */
  public HopFinder(IpAddress own, Tracer tracer, LongSupplier nanoTime, Runnable listener) {
    this.own = own;
    this.tracer = tracer;
    this.nanoTime = nanoTime;
    this.listener = listener;
  }

  /** These are the paths now. */
  public synchronized void look(SortedMap<DpuName, PathStatus> now) {
    paths = now;
    found.keySet().removeIf(peer -> !isBlackHole(now.get(peer)));
    lookedAt.keySet().retainAll(now.keySet());
    now.keySet().stream().filter(this::isDue).forEach(waiting::add);
    if (!comesBack && now.keySet().stream().anyMatch(peer -> isNews(peer) && !isRested(peer))) {
      // Nobody else would come back to them: nothing more may change.
      comesBack = true;
      thread.after(PACE, this::lookAgain);
    }
    if (!busy && !waiting.isEmpty()) {
      busy = true;
      thread.execute(this::lookAtNext);
    }
  }

  private synchronized void lookAgain() {
    comesBack = false;
    look(paths);
  }

  /** What is known of the black holes. */
  public synchronized SortedMap<DpuName, PathHop> known() {
    SortedMap<DpuName, PathHop> hops = new TreeMap<>();
    found.forEach(
        (peer, hop) -> {
          if (isBlackHole(paths.get(peer))) {
            hops.put(peer, hop.hop());
          }
        });
    return hops;
  }

  /** Looks at one path now; the future does not fail. */
  CompletableFuture<PathHop> find(DpuName peer, PathStatus path) {
    return CompletableFuture.supplyAsync(() -> keep(peer, path), thread);
  }

  @Override
  public void close() {
    thread.close();
    tracer.close();
  }

  private boolean isDue(DpuName peer) {
    return isNews(peer) && isRested(peer);
  }

  private boolean isNews(DpuName peer) {
    PathStatus path = paths.get(peer);
    Found known = found.get(peer);
    return isBlackHole(path) && (known == null || !known.path().equals(path));
  }

  private boolean isRested(DpuName peer) {
    Long last = lookedAt.get(peer);
    return last == null || nanoTime.getAsLong() - last >= PACE.toNanos();
  }

  private static boolean isBlackHole(@Nullable PathStatus path) {
    return path != null && path.verdict().state() == PathState.BLACK_HOLE;
  }

  /** One, so that who asks meanwhile waits for no more than that. */
  private void lookAtNext() {
    nextDue()
        .ifPresent(
            next -> {
              PathHop unused = keep(next.getKey(), next.getValue());
              thread.execute(this::lookAtNext);
            });
  }

  private synchronized Optional<Map.Entry<DpuName, PathStatus>> nextDue() {
    for (Iterator<DpuName> peers = waiting.iterator(); peers.hasNext(); ) {
      DpuName peer = peers.next();
      peers.remove();
      PathStatus path = paths.get(peer);
      if (path != null && isDue(peer)) {
        return Optional.of(Map.entry(peer, path));
      }
    }
    busy = false;
    return Optional.empty();
  }

  private PathHop keep(DpuName peer, PathStatus path) {
    synchronized (this) {
      lookedAt.put(peer, nanoTime.getAsLong());
    }
    PathHop hop = trace(path);
    synchronized (this) {
      found.put(peer, new Found(path, hop));
    }
    listener.run();
    return hop;
  }

  private PathHop trace(PathStatus path) {
    int size = path.verdict().wantedBytes();
    try {
      String output = tracer.trace(own, path.address(), size);
      return TracerouteReader.read(output, own, path.address(), size);
    } catch (DeviceException e) {
      return PathHop.unknown(String.valueOf(e.getMessage()));
    }
  }
}
