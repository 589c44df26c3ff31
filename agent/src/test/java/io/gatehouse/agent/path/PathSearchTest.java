package io.gatehouse.agent.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathVerdict;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The search on one path, over a fabric that is a number: the largest packet that it carries. */
class PathSearchTest {
  private static final long MILLI = 1_000_000L;
  private static final int DETECT_MILLIS = 10_000;
  private static final int CLEAR_MILLIS = 30_000;

  /** A path with its search, in simulated time. */
  private static final class World {
    final PathSearch search;
    long now = 5;
    int carries;
    double loss;
    int interfaceBytes = 100_000;
    int sent;
    final SplittableRandom random;

    World(int wanted, int carries, long seed) {
      this.carries = carries;
      this.random = new SplittableRandom(seed);
      this.search = new PathSearch(wanted, PathPace.DEFAULT, now);
    }

    World run(int millis) {
      for (long end = now + millis * MILLI; now < end; now += 10 * MILLI) {
        for (int size : search.next(now)) {
          sent++;
          if (size > interfaceBytes) {
            search.refused(size, search.round(), now);
          } else if (size <= carries && random.nextDouble() >= loss) {
            search.answered(size, search.round(), now + MILLI);
          }
        }
      }
      return this;
    }

    PathVerdict verdict() {
      return search.verdict();
    }
  }

  @Test
  void aPathThatCarriesWhatIsNeededIsProvenByOneProbe() {
    World world = new World(1_500, 1_500, 1).run(1_000);
    assertThat(world.verdict()).isEqualTo(new PathVerdict(PathState.PROVEN, 1_500, 1_500, 0));
    assertThat(world.sent).as("the wanted size and the base size").isEqualTo(2);
    world.run(30_000);
    assertThat(world.sent).as("one every 3 s after it").isBetween(11, 13);
  }

  @Test
  void everySizeIsFoundExactlyAndInTime() {
    SplittableRandom sizes = new SplittableRandom(7);
    for (int wanted : new int[] {1_201, 1_202, 1_500, 9_000, 9_286}) {
      for (int i = 0; i < 60; i++) {
        int carries = sizes.nextInt(PathSearch.BASE_BYTES, wanted);
        World world = new World(wanted, wanted, i).run(20_000);
        world.carries = carries;
        world.run(DETECT_MILLIS);
        assertThat(world.verdict())
            .as("wanted %d, carries %d", wanted, carries)
            .isEqualTo(new PathVerdict(PathState.BLACK_HOLE, wanted, carries, carries + 1));
        world.carries = wanted;
        world.run(CLEAR_MILLIS);
        assertThat(world.verdict().state()).isEqualTo(PathState.PROVEN);
      }
    }
  }

  @Test
  void aBlackHoleThatGrowsOrShrinksIsFoundAgain() {
    World world = new World(9_000, 4_000, 3).run(20_000);
    assertThat(world.verdict().provenBytes()).isEqualTo(4_000);
    world.carries = 1_450;
    world.run(DETECT_MILLIS + 5_000);
    assertThat(world.verdict())
        .isEqualTo(new PathVerdict(PathState.BLACK_HOLE, 9_000, 1_450, 1_451));
    world.carries = 8_000;
    world.run(60_000);
    assertThat(world.verdict().provenBytes()).isEqualTo(8_000);
  }

  @Test
  void nothingThatArrivesIsUnreachableAndNoBlackHole() {
    World world = new World(1_500, 1_500, 4).run(1_000);
    world.carries = 0;
    world.run(DETECT_MILLIS);
    assertThat(world.verdict()).isEqualTo(new PathVerdict(PathState.UNREACHABLE, 1_500, 0, 0));
    world.carries = 1_500;
    world.run(CLEAR_MILLIS);
    assertThat(world.verdict().state()).isEqualTo(PathState.PROVEN);
  }

  @Test
  void straysThatAreLostChangeNothing() {
    for (long seed = 0; seed < 20; seed++) {
      World world = new World(1_500, 1_500, seed);
      world.loss = 0.01;
      for (int i = 0; i < 600; i++) {
        world.run(1_000);
        assertThat(world.verdict().state())
            .as("seed %d, second %d", seed, i)
            .isEqualTo(PathState.PROVEN);
      }
    }
  }

  @Test
  void aSmallerInterfaceIsFoundLikeASmallerPath() {
    World world = new World(9_000, 9_000, 5).run(1_000);
    world.interfaceBytes = 1_500;
    world.run(DETECT_MILLIS);
    assertThat(world.verdict())
        .isEqualTo(new PathVerdict(PathState.BLACK_HOLE, 9_000, 1_500, 1_501));
  }

  @Test
  void lessNeededIsProvenByWhatIsKnownAndMoreIsLookedAt() {
    World world = new World(1_500, 1_500, 6).run(1_000);
    world.search.want(1_400, world.now);
    assertThat(world.verdict()).isEqualTo(new PathVerdict(PathState.PROVEN, 1_400, 1_400, 0));
    world.search.want(1_600, world.now);
    assertThat(world.verdict().state()).isEqualTo(PathState.SEARCHING);
    world.run(DETECT_MILLIS);
    assertThat(world.verdict())
        .isEqualTo(new PathVerdict(PathState.BLACK_HOLE, 1_600, 1_500, 1_501));
  }

  @Test
  void aLateAnswerIsStillProof() {
    PathSearch search = new PathSearch(1_500, PathPace.DEFAULT, 0);
    assertThat(search.next(0)).contains(1_500);
    assertThat(search.next(1_500 * MILLI)).contains(1_500);
    assertThat(search.next(2_900 * MILLI)).contains(1_500);
    search.next(4_500 * MILLI);
    assertThat(search.verdict().state()).isEqualTo(PathState.UNREACHABLE);
    search.answered(1_500, 1, 5_000 * MILLI);
    assertThat(search.verdict().state()).isEqualTo(PathState.PROVEN);
  }
}
