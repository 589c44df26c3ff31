package io.gatehouse.agent.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.path.PathPartners.Partner;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** All searches of a DPU, within one budget. */
class PathTableTest {
  private static final long MILLI = 1_000_000L;
  private static final int FLOWS = 4;

  private final SplittableRandom random = new SplittableRandom(11);
  private final PathTable table = new PathTable(FLOWS, PathPace.DEFAULT, random::nextLong, 0);
  private long now;
  private int sent;

  @Test
  void oneOfSeveralWaysThatCarriesLessIsFound() {
    table.aim(partners(3, 1_500), now);
    run(10_000, flow -> flow == 2 ? 1_400 : 1_500);
    assertThat(statuses().values())
        .extracting(PathStatus::verdict)
        .containsOnly(new PathVerdict(PathState.BLACK_HOLE, 1_500, 1_400, 1_401));
  }

  @Test
  void oneOfSeveralWaysThatIsDeadIsNoProvenPath() {
    table.aim(partners(1, 1_500), now);
    run(10_000, flow -> flow == 1 ? 0 : 1_500);
    assertThat(statuses().values())
        .extracting(status -> status.verdict().state())
        .containsOnly(PathState.BLACK_HOLE);
  }

  @Test
  void waysThatDieOneAfterTheOtherAreNoBlackHole() {
    table.aim(partners(300, 1_500), now);
    run(20_000, flow -> 1_500);
    for (int second = 0; second < 20; second++) {
      run(1_000, flow -> 0);
      assertThat(statuses().values())
          .extracting(status -> status.verdict().state())
          .doesNotContain(PathState.BLACK_HOLE);
    }
    assertThat(statuses().values())
        .extracting(status -> status.verdict().state())
        .containsOnly(PathState.UNREACHABLE);
  }

  @Test
  void fewPathsAreConfirmedOften() {
    assertThat(PathPace.DEFAULT.among(8).confirm()).hasMillis(250);
    assertThat(PathPace.DEFAULT.among(200).confirm()).hasSeconds(1);
    assertThat(PathPace.DEFAULT.among(2_000)).isEqualTo(PathPace.DEFAULT);
    table.aim(partners(2, 1_500), now);
    run(60_000, flow -> 1_500);
    assertThat(sent).as("probes in a minute").isBetween(8 * 4 * 50, 8 * 4 * 62);
  }

  @Test
  void fiveHundredPartnersAreLookedAtWithinTheBudget() {
    table.aim(partners(500, 1_500), now);
    run(15_000, flow -> 1_500);
    assertThat(statuses().values())
        .extracting(status -> status.verdict().state())
        .containsOnly(PathState.PROVEN);
    int before = sent;
    run(60_000, flow -> 1_500);
    assertThat(sent - before)
        .as("probes in a minute")
        .isBetween(
            PathTable.PROBES_PER_SECOND * 60 / 2, PathTable.PROBES_PER_SECOND * 61 + FLOWS * 8);
  }

  @Test
  void aBudgetThatDoesNotSufficeIsSharedAndNeverExceeded() {
    table.aim(partners(5_000, 1_500), now);
    run(60_000, flow -> 1_500);
    assertThat(sent).isLessThanOrEqualTo(PathTable.PROBES_PER_SECOND * 61 + FLOWS * 8);
    assertThat(statuses().values())
        .as("each has had its turn")
        .extracting(status -> status.verdict().state())
        .containsOnly(PathState.PROVEN);
  }

  @Test
  void anAnswerCountsOnlyFromWhomItWasAskedAndOnce() {
    table.aim(partners(1, 1_500), now);
    now += PathPace.DEFAULT.confirm().toNanos();
    Probe probe = table.next(now).get(0);
    assertThat(table.answered(IpAddress.parse("192.0.2.1"), probe.nonce(), now)).isFalse();
    assertThat(table.answered(probe.to(), probe.nonce() + 1, now)).isFalse();
    assertThat(table.answered(probe.to(), probe.nonce(), now)).isTrue();
    assertThat(table.answered(probe.to(), probe.nonce(), now)).isFalse();
  }

  @Test
  void whoStaysKeepsWhatIsKnownAndWhoMovesBeginsAnew() {
    table.aim(partners(2, 1_500), now);
    run(4_000, flow -> 1_500);
    Instant since = status("d0").since();
    SortedMap<DpuName, Partner> next = partners(1, 1_500);
    next.put(new DpuName("d1"), new Partner(IpAddress.parse("192.0.2.9"), 1_500));
    table.aim(next, now);
    assertThat(status("d0").since()).isEqualTo(since);
    assertThat(status("d1").verdict().state()).isEqualTo(PathState.SEARCHING);
    table.aim(new TreeMap<>(), now);
    assertThat(statuses()).isEmpty();
    assertThat(table.next(now)).isEmpty();
  }

  private void run(int millis, IntUnaryOperator carries) {
    for (long end = now + millis * MILLI; now < end; now += 50 * MILLI) {
      List<Probe> probes = table.next(now);
      sent += probes.size();
      for (Probe probe : probes) {
        if (probe.sizeBytes() <= carries.applyAsInt(probe.flow())) {
          table.answered(probe.to(), probe.nonce(), now + MILLI);
        }
      }
    }
  }

  private PathStatus status(String dpu) {
    return Objects.requireNonNull(statuses().get(new DpuName(dpu)));
  }

  private SortedMap<DpuName, PathStatus> statuses() {
    return table.statuses(Instant.EPOCH.plusNanos(now));
  }

  private static SortedMap<DpuName, Partner> partners(int count, int wanted) {
    SortedMap<DpuName, Partner> partners = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      partners.put(new DpuName("d" + i), new Partner(IpAddress.ofV4(0x0a00_0001L + i), wanted));
    }
    return partners;
  }
}
