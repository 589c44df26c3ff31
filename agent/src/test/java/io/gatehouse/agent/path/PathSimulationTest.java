package io.gatehouse.agent.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.path.PathState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Detection of black holes, and of nothing else, in seeded simulations of fabrics. */
class PathSimulationTest {
  private static final int PARTNERS = 3;
  private static final int WHOLE = 1_500;
  private static final int SEEDS = 40;

  @Test
  void whatIsLostByChanceIsNoBlackHole() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      // Some with so many that one way waits for another.
      int partners = seed % (SEEDS / 2) == 0 ? 200 : PARTNERS;
      SimulatedFabric fabric = new SimulatedFabric(seed, partners, WHOLE);
      fabric.loss = 0.01 + 0.04 * seed / SEEDS;
      fabric.slowMillis = 400;
      assertNoBlackHole(fabric, seed, 120_000);
    }
  }

  @Test
  void whoStandsStillIsNoBlackHole() {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedFabric fabric = new SimulatedFabric(seed, PARTNERS, WHOLE);
      fabric.loss = 0.01;
      for (int pause = 0; pause < 20; pause++) {
        assertNoBlackHole(fabric, seed, 1_000 + fabric.random.nextInt(3_000));
        long until = fabric.nowMillis() + fabric.random.nextInt(2_500);
        if (fabric.random.nextBoolean()) {
          fabric.pausedUntil = until * SimulatedFabric.MILLI;
        } else {
          fabric.partnersPausedUntil = until * SimulatedFabric.MILLI;
        }
      }
      assertThat(fabric.count(PathState.UNREACHABLE)).as("seed %d", seed).isZero();
    }
  }

  private static void assertNoBlackHole(SimulatedFabric fabric, int seed, int millis) {
    for (long end = fabric.nowMillis() + millis; fabric.nowMillis() < end; ) {
      fabric.step();
      assertThat(fabric.limits()).as("seed %d, %d ms", seed, fabric.nowMillis()).isEmpty();
      if (fabric.nowMillis() % 500 == 0) {
        assertThat(fabric.count(PathState.BLACK_HOLE))
            .as("seed %d, %d ms", seed, fabric.nowMillis())
            .isZero();
      }
    }
  }

  @Test
  void aDeadPathIsNotCalledDeadBeforeThreeSecondsOfSilence() {
    List<Long> times = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedFabric fabric = new SimulatedFabric(seed, PARTNERS, WHOLE);
      fabric.run(5_000 + fabric.random.nextInt(500));
      fabric.hops = (to, flow, now) -> 0;
      times.add(time(fabric, () -> fabric.count(PathState.UNREACHABLE) > 0));
      assertThat(fabric.limits()).isEmpty();
    }
    assertThat(Collections.min(times)).isGreaterThan(3_000);
    assertThat(Collections.max(times)).isLessThan(5_000);
  }

  @Test
  void aBlackHoleHasItsLimitWithinASecond() {
    print("limit exact, 3 partners, 1500 to 1400, no loss", exactLimits(WHOLE, 1_400, 0), 900);
    print("limit exact, 3 partners, 1500 to 1400, 1 % loss", exactLimits(WHOLE, 1_400, 1), 2_500);
    print("limit exact, 3 partners, 9050 to 4000, no loss", exactLimits(9_050, 4_000, 0), 1_500);
  }

  /** Milliseconds from the change to the exact limit, for each seed and partner. */
  private static List<Long> exactLimits(int wanted, int carried, int lossPercent) {
    List<Long> times = new ArrayList<>();
    for (int seed = 0; seed < SEEDS * 5; seed++) {
      SimulatedFabric fabric = new SimulatedFabric(seed, PARTNERS, wanted);
      fabric.loss = lossPercent / 100.0;
      fabric.run(5_000 + fabric.random.nextInt(500));
      fabric.hops = (to, flow, now) -> carried;
      times.add(time(fabric, () -> fabric.limitedTo(carried) == PARTNERS));
      assertThat(fabric.count(PathState.BLACK_HOLE)).isEqualTo(PARTNERS);
      fabric.hops = (to, flow, now) -> wanted;
      long cleared =
          time(
              fabric,
              () -> fabric.count(PathState.PROVEN) == PARTNERS && fabric.limits().isEmpty());
      assertThat(cleared).as("seed %d", seed).isLessThan(8_000);
    }
    return times;
  }

  @Test
  void oneNarrowWayLimitsItsPartnerAndNobodyElse() {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedFabric fabric = new SimulatedFabric(seed, PARTNERS, WHOLE);
      fabric.run(3_000);
      long there = 0x0a00_0002L;
      fabric.hops =
          (to, flow, now) ->
              to.equals(io.gatehouse.model.net.IpAddress.ofV4(there)) && flow == 3 ? 1_300 : WHOLE;
      fabric.run(2_000);
      assertThat(fabric.limits())
          .hasSize(1)
          .containsEntry(io.gatehouse.model.net.IpAddress.ofV4(there), 1_300);
    }
  }

  @Test
  void aPathThatFlapsKeepsItsLimit() {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedFabric fabric = new SimulatedFabric(seed, 1, WHOLE);
      int period = 500 + fabric.random.nextInt(3_000);
      fabric.hops = (to, flow, now) -> now / period % 2 == 0 ? WHOLE : 1_400;
      fabric.run(period * 2);
      int changes = 0;
      boolean limited = !fabric.limits().isEmpty();
      for (int i = 0; i < 2_400; i++) {
        fabric.step();
        boolean is = !fabric.limits().isEmpty();
        changes += is == limited ? 0 : 1;
        limited = is;
      }
      assertThat(changes).as("seed %d, period %d", seed, period).isLessThanOrEqualTo(2);
      fabric.hops = (to, flow, now) -> WHOLE;
      fabric.run(8_000);
      assertThat(fabric.limits()).isEmpty();
    }
  }

  @Test
  void fiveHundredBlackHolesAtOnceAreFoundWithinTenSeconds() {
    SimulatedFabric fabric = new SimulatedFabric(3, 500, WHOLE);
    fabric.run(15_000);
    assertThat(fabric.count(PathState.PROVEN)).isEqualTo(500);
    fabric.hops = (to, flow, now) -> 1_400;
    int before = fabric.sent;
    long found = time(fabric, () -> fabric.count(PathState.BLACK_HOLE) == 500);
    long limited = time(fabric, () -> fabric.limits().size() == 500);
    long exact = time(fabric, () -> fabric.limitedTo(1_400) == 500);
    System.out.printf(
        "500 partners, 1500 to 1400: all found after %d ms, limited %d ms later, exact %d ms later;"
            + " %d probes%n",
        found, limited, exact, fabric.sent - before);
    assertThat(found).isLessThan(10_000);
    assertThat(limited).isLessThan(2_000);
    fabric.hops = (to, flow, now) -> WHOLE;
    long cleared = time(fabric, () -> fabric.count(PathState.PROVEN) == 500);
    System.out.printf("500 partners: all clear after %d ms%n", cleared);
    assertThat(cleared).isLessThan(30_000);
  }

  /** Simulated milliseconds until it is so. */
  private static long time(SimulatedFabric fabric, BooleanSupplier isSo) {
    long from = fabric.nowMillis();
    while (!isSo.getAsBoolean()) {
      fabric.step();
      assertThat(fabric.nowMillis() - from).as("too late").isLessThan(120_000);
    }
    return fabric.nowMillis() - from;
  }

  private static void print(String what, List<Long> times, long mostMillis) {
    Collections.sort(times);
    int count = times.size();
    System.out.printf(
        "%s: p50 %d, p90 %d, p99 %d, max %d ms (simulated, n=%d)%n",
        what,
        times.get(count / 2),
        times.get(count * 9 / 10),
        times.get(count * 99 / 100),
        times.get(count - 1),
        count);
    assertThat(times.get(count - 1)).as(what).isLessThanOrEqualTo(mostMillis);
  }
}
