package io.gatehouse.agent.path;

import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The searches on all paths away from this DPU, one for each partner and way, within one budget of
 * probes: with more partners than it feeds, each is looked at less often, in turn. For one thread.
 */
public final class PathTable {
  /** Of a DPU, all partners together: 9.6 Mbit/s with packets of 1500 bytes. */
  public static final int PROBES_PER_SECOND = 800;

  /** What may be caught up with after a pause. */
  private static final int BURST = 80;

  /** Partners whose ways may all be doubted at once, when nothing arrives on them. */
  private static final int FEW = 50;

  /** Less than this left: more is to be sent than may be. */
  private static final int SCARCE = BURST / 2;

  /** More than between two looks: this process has stood still. */
  private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

  /** Longer than an answer takes that still says something. */
  private static final long FORGET_NANOS = Duration.ofSeconds(10).toNanos();

  private static final double NANOS = 1e9;

  private record Sent(IpAddress to, PathSearch search, int sizeBytes, long round, long at) {}

  /** A partner, with a search for each way. */
  private record Path(IpAddress address, List<PathSearch> searches) {
    PathVerdict verdict() {
      return searches.stream()
          .filter(this::counts)
          .map(PathSearch::verdict)
          .reduce(PathVerdict::worse)
          .orElseThrow();
    }

    /** One way is dead if another one has been heard since; else perhaps all are. */
    private boolean counts(PathSearch search) {
      return search.state() != PathState.UNREACHABLE
          || searches.stream().allMatch(other -> other.state() == PathState.UNREACHABLE)
          || searches.stream().anyMatch(search::isDeadBeside);
    }

    /** The least that a way should be given; 0: none has a limit. */
    int limitBytes(long now) {
      int least = 0;
      for (PathSearch search : searches) {
        int limit = search.limitBytes(now);
        least = limit > 0 && (least == 0 || limit < least) ? limit : least;
      }
      return least;
    }
  }

  private final int flows;
  private final PathPace slowest;
  private final PathHint hint = new PathHint();
  private final LongSupplier random;
  private final SortedMap<DpuName, Path> paths = new TreeMap<>();
  private final Map<Long, Sent> sent = new LinkedHashMap<>();
  private SortedMap<DpuName, PathStatus> statuses = Collections.emptySortedMap();
  private List<Path> order = List.of();
  private double allowance = BURST;
  private PathPace pace;
  private long last;
  private int turn;

  /**
   * An empty table.
   *
   * @param flows ways to each partner, 1 or more
   * @param slowest with as many partners as the budget feeds; with few it is faster
   * @param random source of nonces and of the first moments; not to be guessed
   * @param now of a monotonic clock, in nanoseconds, as in all methods
   */
  public PathTable(int flows, PathPace slowest, LongSupplier random, long now) {
    this.flows = flows;
    this.slowest = slowest;
    this.pace = slowest;
    this.random = random;
    this.last = now;
  }

  /** These are the partners from now on; what is known of those that stay is kept. */
  public void aim(SortedMap<DpuName, Partner> partners, long now) {
    paths.keySet().retainAll(partners.keySet());
    pace = slowest.among(partners.size() * flows);
    partners.forEach(
        (dpu, partner) -> {
          Path known = paths.get(dpu);
          if (known != null && known.address().equals(partner.address())) {
            known.searches().forEach(search -> search.want(partner.wantedBytes(), now));
            known.searches().forEach(search -> search.pace(pace, now));
          } else {
            paths.put(dpu, begin(partner, now));
          }
        });
    order = List.copyOf(paths.values());
    turn = order.isEmpty() ? 0 : turn % order.size();
  }

  private Path begin(Partner partner, long now) {
    List<PathSearch> searches = new ArrayList<>();
    long confirm = pace.confirm().toNanos();
    long first = Math.floorMod(random.getAsLong(), confirm);
    for (int flow = 0; flow < flows; flow++) {
      // One after the other: what all ways share is seen soon.
      long at = now + (first + confirm * flow / flows) % confirm;
      searches.add(new PathSearch(partner.wantedBytes(), pace, at, hint));
    }
    return new Path(partner.address(), List.copyOf(searches));
  }

  /** The path to a partner is measured anew; whether there is one. */
  public boolean again(DpuName dpu, long now) {
    Path path = paths.get(dpu);
    if (path == null) {
      return false;
    }
    sent.values().removeIf(probe -> path.searches().contains(probe.search()));
    path.searches().forEach(search -> search.again(now));
    return true;
  }

  /** Whether that is still under way. */
  public boolean isAnew(DpuName dpu) {
    Path path = paths.get(dpu);
    return path != null && path.searches().stream().anyMatch(PathSearch::isAnew);
  }

  /** What is to be sent now. */
  public List<Probe> next(long now) {
    allowance = Math.min(BURST, allowance + (now - last) / NANOS * PROBES_PER_SECOND);
    if (now - last > PAUSE_NANOS) {
      slept(now - last);
    }
    last = now;
    forget(now);
    List<Probe> probes = new ArrayList<>();
    for (int looked = 0; looked < order.size() && allowance > 0; looked++) {
      Path path = order.get(turn);
      turn = (turn + 1) % order.size();
      probes(path, now, probes);
    }
    return probes;
  }

  private void slept(long nanos) {
    order.forEach(path -> path.searches().forEach(search -> search.slept(nanos)));
  }

  private void probes(Path path, long now, List<Probe> probes) {
    boolean inDoubt = false;
    boolean narrow = false;
    for (int flow = 0; flow < flows; flow++) {
      PathSearch search = path.searches().get(flow);
      search.end(now);
      // One way says enough of a path for the moment; to find black holes goes before their size.
      narrow |= search.state() == PathState.BLACK_HOLE;
      boolean waits = inDoubt || (narrow && allowance < SCARCE);
      inDoubt |= search.isInDoubt() && (order.size() > FEW || search.isHeard(now));
      if (waits && search.isInDoubt()) {
        continue;
      }
      for (int size : search.begin(now)) {
        long nonce = random.getAsLong();
        sent.put(nonce, new Sent(path.address(), search, size, search.round(), now));
        probes.add(new Probe(path.address(), flow, size, nonce));
        allowance--;
      }
    }
  }

  /** An answer has come; whether it is one to a probe of ours. */
  public boolean answered(IpAddress from, long nonce, long now) {
    Sent probe = sent.get(nonce);
    if (probe == null || !probe.to().equals(from)) {
      return false;
    }
    sent.remove(nonce);
    probe.search().answered(probe.sizeBytes(), probe.round(), now);
    return true;
  }

  /** A probe was too large for this DPU's own interface. */
  public void refused(long nonce, long now) {
    Sent probe = sent.remove(nonce);
    if (probe != null) {
      probe.search().refused(probe.sizeBytes(), probe.round(), now);
    }
  }

  /** What is known of each path; the same object as before if nothing new is. */
  public SortedMap<DpuName, PathStatus> statuses(Instant at) {
    SortedMap<DpuName, PathStatus> next = new TreeMap<>();
    paths.forEach(
        (dpu, path) -> {
          PathVerdict verdict = path.verdict();
          PathStatus known = statuses.get(dpu);
          boolean same =
              known != null
                  && known.verdict().equals(verdict)
                  && known.address().equals(path.address());
          next.put(dpu, same ? known : new PathStatus(path.address(), verdict, at));
        });
    if (!next.equals(statuses)) {
      statuses = Collections.unmodifiableSortedMap(next);
    }
    return statuses;
  }

  /**
   * Partners to which less should be sent than is wanted, by address: bytes of the largest packet.
   */
  public SortedMap<IpAddress, Integer> limits(long now) {
    SortedMap<IpAddress, Integer> limits = new TreeMap<>();
    for (Path path : order) {
      int limit = path.limitBytes(now);
      if (limit > 0) {
        limits.put(path.address(), limit);
      }
    }
    return limits;
  }

  private void forget(long now) {
    var oldest = sent.values().iterator();
    while (oldest.hasNext() && now - oldest.next().at() > FORGET_NANOS) {
      oldest.remove();
    }
  }
}
