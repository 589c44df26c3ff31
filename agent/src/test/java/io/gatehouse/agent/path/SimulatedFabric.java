package io.gatehouse.agent.path;

import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The paths of one DPU in simulated time: one seed drives loss, delay and pauses. Answers to one
 * partner and way come in the order of the probes, as in a fabric.
 */
final class SimulatedFabric {
  static final long MILLI = 1_000_000L;
  static final int FLOWS = 4;
  private static final int TICK_MILLIS = 25;

  private record Answer(long at, long order, Probe probe) implements Comparable<Answer> {
    @Override
    public int compareTo(Answer other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  /** What a probe meets on its way. */
  interface Hops {
    int carriedBytes(IpAddress to, int flow, long nowMillis);
  }

  final PathTable table;
  Hops hops = (to, flow, now) -> 100_000;

  /** Of probe and answer together. */
  double loss;

  /** Answers take up to this long, usually far less. */
  int slowMillis = 20;

  /** Until when this DPU's agent stands still, and its partners'. */
  long pausedUntil;

  long partnersPausedUntil;
  int sent;
  final SplittableRandom random;
  private final PriorityQueue<Answer> answers = new PriorityQueue<>();
  private long now;
  private long order;

  SimulatedFabric(long seed, int partners, int wanted) {
    this.random = new SplittableRandom(seed);
    SplittableRandom nonces = random.split();
    this.table = new PathTable(FLOWS, PathPace.DEFAULT, nonces::nextLong, 0);
    SortedMap<DpuName, Partner> all = new TreeMap<>();
    for (int i = 0; i < partners; i++) {
      all.put(new DpuName("d" + i), new Partner(IpAddress.ofV4(0x0a00_0001L + i), wanted));
    }
    table.aim(all, 0);
  }

  long nowMillis() {
    return now / MILLI;
  }

  /** One look of the agent. */
  void step() {
    now += TICK_MILLIS * MILLI;
    if (now < pausedUntil) {
      return;
    }
    // After a pause the agent may look at its clock before it reads what has come.
    for (Probe probe : table.next(now)) {
      sent++;
      int carried = hops.carriedBytes(probe.to(), probe.flow(), nowMillis());
      if (probe.sizeBytes() <= carried && random.nextDouble() >= loss) {
        answers.add(new Answer(arrival(), order++, probe));
      }
    }
    while (!answers.isEmpty() && answers.peek().at() <= now) {
      Probe probe = answers.remove().probe();
      table.answered(probe.to(), probe.nonce(), now);
    }
  }

  private long arrival() {
    int millis = random.nextInt(20) == 0 ? random.nextInt(slowMillis) : 1;
    return Math.max(now, partnersPausedUntil) + millis * MILLI;
  }

  void run(int millis) {
    for (long end = now + millis * MILLI; now < end; ) {
      step();
    }
  }

  SortedMap<DpuName, PathStatus> statuses() {
    return table.statuses(Instant.EPOCH.plusNanos(now));
  }

  long count(PathState state) {
    return statuses().values().stream().filter(s -> s.verdict().state() == state).count();
  }

  /** Partners with a limit of this many bytes. */
  long limitedTo(int bytes) {
    return limits().values().stream().filter(limit -> limit == bytes).count();
  }

  SortedMap<IpAddress, Integer> limits() {
    return table.limits(now);
  }
}
