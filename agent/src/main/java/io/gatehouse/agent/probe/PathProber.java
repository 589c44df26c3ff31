package io.gatehouse.agent.probe;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.path.Probe;
import io.gatehouse.agent.path.tunnel.TunnelTestFrame;
import io.gatehouse.agent.path.tunnel.TunnelTestRun;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.SerialThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes the paths to this DPU's partners, in the direction away from it: the partners do the same
 * in theirs. All state is confined to one thread of its own.
 */
public final class PathProber implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PathProber.class);

  private static final Duration TICK = Duration.ofMillis(25);
  private static final long PUBLISH_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long REOPEN_NANOS = Duration.ofSeconds(1).toNanos();

  /** Whom the results are told; called on the prober's thread. */
  public interface Listener {
    /** Something is known that was not before; at most once a second. */
    void pathsChanged(SortedMap<DpuName, PathStatus> paths);

    /** Bytes of the largest packet that partners should be sent, by address: at once. */
    void limitsChanged(SortedMap<IpAddress, Integer> limits);

    /** Probes have left. */
    void sent(int count);

    /** An answer to one of them has come. */
    void answered();
  }

  /** Puts a frame into a tunnel; may lose it. */
  public interface Outlet {
    void send(TunnelTestRun.Sending sending);
  }

  /** Opens the sockets. */
  public interface Opener {
    ProbeSockets open(ProbeSockets.Listener listener) throws IOException;
  }

  private final Opener opener;
  private final PathTable table;
  private final PathRequests requests;
  private final Listener listener;
  private final SerialThread thread = new SerialThread("path-probe");
  private Set<InetAddress> partners = Set.of();
  private @Nullable ProbeSockets sockets;
  private long nextOpen = System.nanoTime();
  private long nextPublish = System.nanoTime();
  private boolean toldOfFailure;
  private SortedMap<DpuName, PathStatus> published = Collections.emptySortedMap();
  private SortedMap<IpAddress, Integer> limits = Collections.emptySortedMap();

  public PathProber(Opener opener, PathTable table, Outlet outlet, Listener listener) {
    this.opener = opener;
    this.table = table;
    this.requests = new PathRequests(table, outlet);
    this.listener = listener;
  }

  /** Begins, and returns. */
  public void start() {
    thread.every(TICK, this::tick);
  }

  /** These are the partners from now on. From any thread. */
  public void aim(SortedMap<DpuName, Partner> now) {
    thread.execute(
        () -> {
          table.aim(now, System.nanoTime());
          partners = addresses(now.values());
          if (sockets != null) {
            sockets.answerOnly(partners);
          }
        });
  }

  /**
   * Measures the path to a partner anew. From any thread.
   *
   * @return what is known when that has come to an end, or its time is over; empty if there is no
   *     such partner
   */
  public CompletableFuture<Optional<PathStatus>> measure(DpuName peer) {
    CompletableFuture<Optional<PathStatus>> done = new CompletableFuture<>();
    thread.execute(() -> requests.measure(peer, done, System.nanoTime()));
    return done;
  }

  /**
   * Tests the tunnels to a partner; one test at a time. From any thread.
   *
   * @param test makes it, for the moment at which it begins
   */
  public CompletableFuture<List<TunnelTest>> test(LongFunction<TunnelTestRun> test) {
    CompletableFuture<List<TunnelTest>> done = new CompletableFuture<>();
    thread.execute(() -> requests.test(test.apply(System.nanoTime()), done));
    return done;
  }

  /**
   * A frame has come out of a tunnel to this agent; its sender is told how. From any thread.
   *
   * @param from the VTEP that has sent it
   */
  public void tunnelTestArrived(IpAddress from, Octets frame) {
    TunnelTestFrame.read(frame)
        .ifPresent(
            test ->
                thread.execute(
                    () -> {
                      InetAddress partner = address(from);
                      if (sockets != null && partners.contains(partner)) {
                        sockets.tell(partner, verdict(test, frame));
                      }
                    }));
  }

  private static ProbeMessage verdict(TunnelTestFrame test, Octets frame) {
    return new ProbeMessage(
        test.isIntact(frame) ? ProbeMessage.Kind.TUNNEL_INTACT : ProbeMessage.Kind.TUNNEL_DAMAGED,
        test.innerBytes(),
        test.nonce());
  }

  @Override
  public void close() {
    thread.execute(
        () -> {
          if (sockets != null) {
            sockets.close();
          }
        });
    thread.close();
  }

  private void tick() {
    long now = System.nanoTime();
    requests.tick(now);
    ProbeSockets open = sockets;
    if (open == null) {
      if (now - nextOpen >= 0) {
        open(now);
      }
      return;
    }
    List<Probe> probes = table.next(now);
    probes.forEach(p -> open.send(p.flow(), address(p.to()), p.sizeBytes(), p.nonce()));
    if (!probes.isEmpty()) {
      listener.sent(probes.size());
    }
    limit(now);
    if (now - nextPublish >= 0) {
      nextPublish = now + PUBLISH_NANOS;
      publish();
    }
  }

  private void open(long now) {
    try {
      ProbeSockets opened = opener.open(new Answers());
      opened.answerOnly(partners);
      sockets = opened;
      toldOfFailure = false;
    } catch (IOException e) {
      nextOpen = now + REOPEN_NANOS;
      if (!toldOfFailure) {
        log.atWarn().addKeyValue("reason", e.getMessage()).log("paths cannot be probed yet");
        toldOfFailure = true;
      }
    }
  }

  /** Hosts wait for it. */
  private void limit(long now) {
    SortedMap<IpAddress, Integer> next = table.limits(now);
    if (!next.equals(limits)) {
      limits = Collections.unmodifiableSortedMap(next);
      listener.limitsChanged(limits);
    }
  }

  private void publish() {
    SortedMap<DpuName, PathStatus> statuses = table.statuses(Instant.now());
    if (!statuses.equals(published)) {
      published = statuses;
      listener.pathsChanged(statuses);
    }
  }

  private static Set<InetAddress> addresses(Collection<Partner> partners) {
    Set<InetAddress> addresses = new HashSet<>();
    partners.forEach(partner -> addresses.add(address(partner.address())));
    return addresses;
  }

  private static InetAddress address(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  /** Moves what the event loop hears to the prober's thread. */
  private final class Answers implements ProbeSockets.Listener {
    @Override
    public void answered(InetAddress from, long nonce) {
      thread.execute(
          () -> {
            if (table.answered(IpAddress.ofBytes(from.getAddress()), nonce, System.nanoTime())) {
              listener.answered();
            }
          });
    }

    @Override
    public void tunnelTested(InetAddress from, long nonce, boolean intact) {
      thread.execute(() -> requests.tested(IpAddress.ofBytes(from.getAddress()), nonce, intact));
    }

    @Override
    public void tooLarge(long nonce) {
      thread.execute(() -> table.refused(nonce, System.nanoTime()));
    }

    @Override
    public void failed(Throwable reason) {
      log.atDebug().setCause(reason).log("a probe could not be sent");
    }
  }
}
