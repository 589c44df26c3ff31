package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.NetworkCommand.LimitPath;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.control.decide.fit.PathLimits;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.SystemChanges;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.NetworkName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets, changes and lifts the limits that paths are to networks, by what agents have measured: less
 * when a path has carried less for a while, more when every path has been known to carry more for
 * longer. Where nothing is known nothing changes. Several control planes may try: the second is
 * refused, and that is all. Called on one thread.
 */
public final class PathLimiter {
  static final Duration LOWER_AFTER = Duration.ofSeconds(10);

  /** A fault of the fabric concerns thousands of networks: others' changes go on meanwhile. */
  static final int COMMANDS_PER_LOOK = 20;

  /** Reports with all their paths: a tenth of a second of work. What is left is next. */
  static final int REPORTS_PER_LOOK = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(PathLimiter.class);
  private static final String ACTOR = "system/path-limiter";

  /** More than one, since a DPU may leave the network before it is decided. */
  private static final int FACTS = 16;

  /**
   * A change that is not due yet.
   *
   * @param direction less than 0: to less; more: to more; 0: another path that is as narrow
   * @param largestBytes the change that has lasted since then
   * @param narrow paths that ask for it, the worst first
   */
  private record Hold(int direction, Instant since, int largestBytes, List<NarrowPath> narrow) {}

  private final Sequencer sequencer;
  private final ReportedPaths reported;
  private final InstantSource clock;
  private final SuspectNetworks suspects;
  private final LimitedNetworks limited = new LimitedNetworks();
  private final Map<NetworkName, Hold> holds = new HashMap<>();
  private final SystemChanges<NetworkName> changes;
  private @Nullable NetworkName last;

  public PathLimiter(Sequencer sequencer, ReportedPaths reported, InstantSource clock) {
    this.sequencer = sequencer;
    this.reported = reported;
    this.clock = clock;
    this.changes = new SystemChanges<>(sequencer, LOG, "network", "limit not known yet");
    this.suspects = new SuspectNetworks(reported);
  }

  /** Looks once at what is reported, and submits what is due. */
  public void look() {
    Image image = sequencer.image();
    Instant now = clock.instant();
    limited.look(image, now);
    NavigableSet<NetworkName> concerned = new TreeSet<>(limited.names());
    concerned.addAll(suspects.of(image));
    holds.keySet().retainAll(concerned);
    int submitted = 0;
    int reports = 0;
    for (NetworkName name : inTurn(concerned)) {
      if (reports >= REPORTS_PER_LOOK || submitted >= COMMANDS_PER_LOOK) {
        break;
      }
      last = name;
      reports += image.dpusOf(name).size();
      image.network(name).ifPresent(network -> hold(image, network, now));
      if (isDue(name, now) && changes.submit(name, () -> command(name, now))) {
        submitted++;
      }
    }
  }

  /** All of them, beginning after the one that was looked at last. */
  private List<NetworkName> inTurn(NavigableSet<NetworkName> concerned) {
    NetworkName before = last;
    if (before == null) {
      return List.copyOf(concerned);
    }
    return Stream.concat(
            concerned.tailSet(before, false).stream(), concerned.headSet(before, true).stream())
        .toList();
  }

  /** Networks that keep an MTU that a path does not carry. Any thread. */
  public int degradedCount() {
    return limited.degradedCount();
  }

  /** Networks with a smaller MTU because of a path. Any thread. */
  public int loweredCount() {
    return limited.loweredCount();
  }

  private void hold(Image image, Network network, Instant now) {
    PathEvidence evidence = PathEvidence.of(image, network, reported);
    Optional<PathLimit> next = PathLimits.of(image, network, evidence.narrow(), now);
    int bytes = LimitedNetworks.bytes(next);
    int direction = Integer.compare(bytes, LimitedNetworks.bytes(network.pathLimit()));
    if (next.equals(network.pathLimit()) || (direction >= 0 && !evidence.complete())) {
      holds.remove(network.name());
      return;
    }
    Hold before = holds.get(network.name());
    List<NarrowPath> worst = worst(image, network, evidence.narrow());
    if (before == null || before.direction() != direction) {
      holds.put(network.name(), new Hold(direction, now, bytes, worst));
    } else if (direction < 0 ? bytes >= before.largestBytes() : bytes <= before.largestBytes()) {
      // What is even less has not lasted yet, and waits for itself. While a network waits to be
      // raised the least counts: what comes and goes is not given back.
      holds.put(network.name(), new Hold(direction, before.since(), bytes, worst));
    }
  }

  /** Those that the decision looks at: what limits nothing must not take their places. */
  private List<NarrowPath> worst(Image image, Network network, List<NarrowPath> narrow) {
    return narrow.stream()
        .filter(path -> PathLimits.of(image, network, List.of(path), clock.instant()).isPresent())
        .distinct()
        .sorted(
            Comparator.comparingInt(NarrowPath::provenBytes)
                .thenComparing(NarrowPath::from)
                .thenComparing(NarrowPath::to))
        .limit(FACTS)
        .toList();
  }

  private boolean isDue(NetworkName name, Instant now) {
    Hold hold = holds.get(name);
    if (hold == null) {
      return false;
    }
    Duration time = hold.direction() >= 0 ? limited.raisePace(name) : LOWER_AFTER;
    return !hold.since().plus(time).isAfter(now);
  }

  private LimitPath command(NetworkName name, Instant now) {
    Hold hold = holds.remove(name);
    if (hold == null) {
      throw new IllegalStateException(name + " is due and not held");
    }
    return new LimitPath(Request.internal(ACTOR, now), name, hold.narrow());
  }
}
