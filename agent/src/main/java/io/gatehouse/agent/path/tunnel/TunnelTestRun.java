package io.gatehouse.agent.path.tunnel;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.agent.state.path.TunnelTestKind;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.NetworkPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * One test of the tunnels to another DPU: what to send when, and what has come of it. First a small
 * packet, again and again: until the switch knows the peer's MAC address on the underlay it drops
 * what it has to encapsulate, and that says nothing of sizes. For one thread; times are of a
 * monotonic clock, in nanoseconds.
 */
public final class TunnelTestRun {
  /** Of each kind; tunnels spread them over equal paths. */
  public static final int COPIES = 8;

  /** Networks in one test. */
  public static final int MAX_NETWORKS = 16;

  private static final long WARM_PAUSE = Duration.ofMillis(200).toNanos();
  private static final long WARM_LIMIT = Duration.ofSeconds(2).toNanos();

  /** A peer answers in milliseconds; one under load may take longer. */
  private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

  /** A frame, and the tunnel for it. */
  public record Sending(IpAddress vtep, Vni vni, Octets frame) {}

  private record Line(NetworkName network, TunnelTestKind kind, int innerBytes) {}

  private static final class Count {
    private int sent;
    private int arrived;
    private int damaged;
  }

  private enum Phase {
    WARM,
    FULL,
    WAIT
  }

  private final IpAddress vtep;
  private final List<NetworkPolicy> networks;
  private final LongSupplier random;
  private final Map<Line, Count> counts = new HashMap<>();
  private final Map<Long, Count> open = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();
  private final long warmEnd;
  private Count warm = new Count();
  private Phase phase = Phase.WARM;
  private long nextWarm;
  private int turn;
  private long end;

  /**
   * Begins a test.
   *
   * @param vtep of the peer
   * @param networks of both DPUs; of more than {@link #MAX_NETWORKS} the first
   * @param random source of nonces that cannot be guessed
   */
  public TunnelTestRun(
      IpAddress vtep, List<NetworkPolicy> networks, LongSupplier random, long now) {
    this.vtep = vtep;
    this.networks = networks.stream().limit(MAX_NETWORKS).toList();
    this.random = random;
    this.nextWarm = now;
    this.warmEnd = now + WARM_LIMIT;
    this.end = now;
    if (networks.isEmpty()) {
      phase = Phase.WAIT;
    }
  }

  /** What is to be sent now: of one network at a time, so that no burst is lost for its size. */
  public List<Sending> next(long now) {
    if (phase == Phase.WARM) {
      if (warm.arrived == 0 && now - warmEnd < 0) {
        return warm(now);
      }
      phase = Phase.FULL;
    }
    if (phase == Phase.WAIT) {
      return List.of();
    }
    List<Sending> sendings = new ArrayList<>();
    NetworkPolicy network = networks.get(turn++);
    Arrays.stream(TunnelTestKind.values())
        .filter(kind -> network.cidrs().stream().anyMatch(c -> c.address().isV4() == kind.isV4()))
        .forEach(kind -> full(network, kind, sendings));
    if (turn == networks.size()) {
      phase = Phase.WAIT;
      end = now + PATIENCE;
    }
    return sendings;
  }

  private List<Sending> warm(long now) {
    if (now - nextWarm < 0) {
      return List.of();
    }
    nextWarm = now + WARM_PAUSE;
    NetworkPolicy first = networks.get(0);
    return List.of(sending(first, TunnelTestKind.UDP_IPV4, TunnelTestFrame.MIN_BYTES, warm));
  }

  private void full(NetworkPolicy network, TunnelTestKind kind, List<Sending> sendings) {
    Line line = new Line(network.name(), kind, network.mtuBytes());
    Count count = new Count();
    counts.put(line, count);
    lines.add(line);
    for (int copy = 0; copy < COPIES; copy++) {
      sendings.add(sending(network, kind, network.mtuBytes(), count));
    }
  }

  private Sending sending(NetworkPolicy network, TunnelTestKind kind, int bytes, Count count) {
    long nonce = random.getAsLong();
    open.put(nonce, count);
    count.sent++;
    return new Sending(vtep, network.vni(), new TunnelTestFrame(kind, bytes, nonce).bytes());
  }

  /**
   * The peer says that a packet has come.
   *
   * @param intact whether it was as it had been sent
   */
  public void arrived(IpAddress from, long nonce, boolean intact) {
    Count count = from.equals(vtep) ? open.remove(nonce) : null;
    if (count == null) {
      return;
    }
    if (intact) {
      count.arrived++;
    } else {
      count.damaged++;
    }
  }

  /** Whether nothing is to be waited for any more. */
  public boolean isOver(long now) {
    boolean all = counts.values().stream().allMatch(c -> c.arrived + c.damaged == c.sent);
    return phase == Phase.WAIT && (all || now - end >= 0);
  }

  /** What has come of it, by network and kind. */
  public List<TunnelTest> results() {
    return lines.stream().map(line -> result(line, counts.getOrDefault(line, warm))).toList();
  }

  private static TunnelTest result(Line line, Count count) {
    return new TunnelTest(
        line.network(), line.kind(), line.innerBytes(), count.sent, count.arrived, count.damaged);
  }
}
