package io.gatehouse.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a hop is looked for, and what is kept of it. */
class HopFinderTest {
  private static final IpAddress OWN = IpAddress.parse("192.0.2.1");
  private static final DpuName PEER = new DpuName("b");
  private static final long LIMIT_SECONDS = 60;

  private final AtomicLong now = new AtomicLong();
  private final FakeTracer tracer = new FakeTracer();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final HopFinder finder = new HopFinder(OWN, tracer, now::get, () -> told.add("news"));

  /** Answers at once; a hop that is silent behind the first, or a failure. */
  private static final class FakeTracer implements HopFinder.Tracer {
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private volatile boolean missing;

    @Override
    public String trace(IpAddress own, IpAddress to, int sizeBytes) throws DeviceException {
      asked.add(own + " to " + to + " with " + sizeBytes);
      if (missing) {
        throw new DeviceException(DeviceException.Kind.REJECTED, "traceroute is not installed");
      }
      return " 1  198.51.100.1  0.1 ms\n 2  *\n";
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    finder.close();
  }

  private static PathStatus path(PathState state, int proven) {
    return new PathStatus(
        IpAddress.parse("192.0.2.2"),
        new PathVerdict(state, 1_500, proven, proven + 1),
        Instant.EPOCH);
  }

  private static SortedMap<DpuName, PathStatus> paths(PathState state, int proven) {
    return new TreeMap<>(Collections.singletonMap(PEER, path(state, proven)));
  }

  private static String next(BlockingQueue<String> queue) throws InterruptedException {
    return queue.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aBlackHoleIsLookedAtOnceAndKeptWhileItIsOne() throws InterruptedException {
    finder.look(paths(PathState.BLACK_HOLE, 1_400));
    assertThat(next(told)).isEqualTo("news");
    assertThat(tracer.asked).containsExactly("192.0.2.1 to 192.0.2.2 with 1500");
    PathHop hop = PathHop.at(1, IpAddress.parse("198.51.100.1"), 0);
    assertThat(finder.known()).containsEntry(PEER, hop);
    finder.look(paths(PathState.PROVEN, 1_500));
    assertThat(finder.known()).isEmpty();
  }

  @Test
  void anotherVerdictIsLookedAtWhenFiveMinutesAreOver() throws InterruptedException {
    finder.look(paths(PathState.BLACK_HOLE, 1_400));
    assertThat(next(told)).isNotNull();
    now.addAndGet(HopFinder.PACE.minus(Duration.ofSeconds(1)).toNanos());
    finder.look(paths(PathState.BLACK_HOLE, 1_300));
    now.addAndGet(Duration.ofSeconds(2).toNanos());
    // Of its two looks only this one asks: the finder has one thread, and keeps the order.
    finder.look(paths(PathState.BLACK_HOLE, 1_300));
    assertThat(next(told)).isNotNull();
    assertThat(tracer.asked).hasSize(2);
  }

  @Test
  void whoAsksIsAnsweredWhateverTheTime() {
    tracer.missing = true;
    PathStatus path = path(PathState.BLACK_HOLE, 1_400);
    for (int i = 0; i < 2; i++) {
      assertThat(finder.find(PEER, path).orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join())
          .isEqualTo(PathHop.unknown("traceroute is not installed"));
    }
    assertThat(tracer.asked).hasSize(2);
  }

  @Test
  void whatIsProvenIsNotLookedAt() {
    finder.look(paths(PathState.PROVEN, 1_500));
    finder.look(paths(PathState.UNREACHABLE, 0));
    PathStatus path = path(PathState.BLACK_HOLE, 1_400);
    assertThat(finder.find(PEER, path).orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join().distance())
        .isEqualTo(1);
    assertThat(tracer.asked).as("by who asked alone").hasSize(1);
    assertThat(finder.known()).as("it is none any more").isEmpty();
  }
}
