package io.gatehouse.control.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.proto.v1.PathState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a path becomes a limit, and when it is none any more. */
class PathLimiterTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String A = "dpus/a";
  private static final String B = "dpus/b";
  private static final int LOWER = 10;
  private static final int RAISE = 30;

  private final FakePaths paths = new FakePaths();
  private WorldSequencer sequencer = new WorldSequencer(new World());
  private Instant now = World.START;
  private PathLimiter limiter = limiter();

  private PathLimiter limiter() {
    return new PathLimiter(sequencer, paths, () -> now);
  }

  @BeforeEach
  void twoDpusWithWholePaths() {
    World world = new World().tenant("tenants/acme");
    world.dpu(A, "192.0.2.1", 1_500).dpu(B, "192.0.2.2", 1_500).network(BLUE, "10.0.0.0/24");
    world.port(BLUE + "/ports/a", A, 0).port(BLUE + "/ports/b", B, 0);
    sequencer = new WorldSequencer(world);
    limiter = limiter();
    paths.proven(A, B, 1_500).proven(B, A, 1_500);
  }

  private Network blue() {
    return sequencer.image().network(NetworkName.parse(BLUE)).orElseThrow();
  }

  private PathLimit limit() {
    return blue().pathLimit().orElseThrow();
  }

  /** Looks once a second; says how many commands were decided. */
  private int after(int seconds) {
    int decided = 0;
    for (int second = 0; second < seconds; second++) {
      now = now.plusSeconds(1);
      limiter.look();
      decided += sequencer.decide();
    }
    return decided;
  }

  private void lower() {
    paths.narrow(A, B, 1_400);
    assertThat(after(LOWER + 1)).isEqualTo(1);
    sequencer.world.settle(BLUE);
  }

  @Test
  void aBlackHoleThatLastsLowersWithPairAndDirection() {
    assertThat(after(60)).isZero();
    paths.narrow(A, B, 1_400);
    assertThat(after(LOWER)).as("not yet").isZero();
    assertThat(after(1)).isEqualTo(1);
    assertThat(limit().largestBytes()).isEqualTo(1_350);
    assertThat(limit().from()).isEqualTo(new DpuName("a"));
    assertThat(limit().to()).isEqualTo(new DpuName("b"));
    assertThat(blue().effectiveMtuBytes()).isEqualTo(1_350);
    assertThat(blue().receiveMtuBytes()).as("what is under way is taken").isEqualTo(1_450);
    assertThat(limiter.loweredCount()).isZero();
    assertThat(after(60)).isZero();
    assertThat(limiter.loweredCount()).isEqualTo(1);
    assertThat(limiter.degradedCount()).isZero();
    assertThat(sequencer.world.entries().get(sequencer.world.entries().size() - 1).actor())
        .isEqualTo("system/path-limiter");
  }

  @Test
  void aWholePathThatLastsRaisesInTwoSteps() {
    lower();
    paths.proven(A, B, 1_500);
    assertThat(after(RAISE)).as("not yet").isZero();
    assertThat(after(1)).isEqualTo(1);
    assertThat(blue().pathLimit()).isEmpty();
    assertThat(blue().effectiveMtuBytes()).isEqualTo(1_350);
    assertThat(blue().receiveMtuBytes()).isEqualTo(1_450);
    sequencer.world.settle(BLUE);
    assertThat(blue().effectiveMtuBytes()).isEqualTo(1_450);
  }

  /** An agent that does not know what the network would have proves only what it has. */
  @Test
  void whatIsProvenOfTheLoweredSizeIsNoProof() {
    lower();
    paths.proven(A, B, 1_400);
    assertThat(after(120)).isZero();
    paths.proven(A, B, 1_499);
    assertThat(after(120)).isZero();
  }

  @Test
  void whatIsNotKnownChangesNothing() {
    for (PathState state : PathState.values()) {
      if (state == PathState.UNRECOGNIZED || state == PathState.PATH_STATE_BLACK_HOLE) {
        continue;
      }
      paths.tell(A, B, state, 1_400);
      assertThat(after(60)).as(state.name()).isZero();
    }
    paths.narrow(A, B, 0);
    assertThat(after(60)).as("one of several ways is dead").isZero();
    lower();
    for (PathState state :
        new PathState[] {PathState.PATH_STATE_UNREACHABLE, PathState.PATH_STATE_SEARCHING}) {
      paths.tell(A, B, state, 0);
      assertThat(after(120)).as(state.name()).isZero();
    }
  }

  @Test
  void aReporterThatIsAwayNeitherLowersNorLifts() {
    paths.narrow(A, B, 1_400);
    assertThat(after(5)).isZero();
    paths.away(A);
    assertThat(after(60)).isZero();
    paths.back(A);
    assertThat(after(LOWER)).as("the time begins anew").isZero();
    assertThat(after(1)).isEqualTo(1);
    sequencer.world.settle(BLUE);
    paths.proven(A, B, 1_500).away(B);
    assertThat(after(120)).as("the other direction is not known").isZero();
    paths.back(B);
    assertThat(after(RAISE + 1)).isEqualTo(1);
  }

  @Test
  void aPathThatFlickersIsNeverALimit() {
    for (int round = 0; round < 20; round++) {
      paths.narrow(A, B, 1_400);
      assertThat(after(LOWER - 1)).isZero();
      paths.proven(A, B, 1_500);
      assertThat(after(1)).isZero();
    }
  }

  @Test
  void aPathThatComesAndGoesDoesNotFillTheJournal() {
    int changes = 0;
    for (int round = 0; round < 100; round++) {
      paths.narrow(A, B, 1_400);
      changes += after(20);
      paths.proven(A, B, 1_500);
      changes += after(100);
    }
    // It is given back after 30 s and 60 s; 120 s without a black hole do not come.
    assertThat(changes).isEqualTo(5);
    assertThat(blue().effectiveMtuBytes()).isEqualTo(1_350);
    assertThat(after((int) RaisePace.TOO_EARLY.toSeconds())).isEqualTo(1);
    assertThat(blue().pathLimit()).isEmpty();
    after((int) RaisePace.TOO_EARLY.toSeconds() + 1);
    lower();
    paths.proven(A, B, 1_500);
    assertThat(after(RAISE + 1)).as("long ago").isEqualTo(1);
  }

  /** A network gets what was least while it waited, not what was best at the end. */
  @Test
  void whatComesAndGoesWhileItWaitsIsNotGivenBack() {
    paths.narrow(A, B, 1_300);
    assertThat(after(LOWER + 1)).isEqualTo(1);
    sequencer.world.settle(BLUE);
    paths.proven(A, B, 1_500);
    after(10);
    paths.narrow(B, A, 1_400);
    after(5);
    paths.proven(B, A, 1_500);
    assertThat(after(RAISE - 14)).isEqualTo(1);
    assertThat(limit().largestBytes()).isEqualTo(1_350);
    assertThat(limit().from()).isEqualTo(new DpuName("b"));
  }

  /** Each size has to last by itself. */
  @Test
  void whatIsEvenLessForAMomentDoesNotCount() {
    paths.narrow(A, B, 1_400);
    after(LOWER - 1);
    paths.narrow(B, A, 1_300);
    assertThat(after(1)).isZero();
    paths.proven(B, A, 1_500);
    assertThat(after(1)).isEqualTo(1);
    assertThat(limit().largestBytes()).isEqualTo(1_350);
    paths.narrow(B, A, 1_300);
    assertThat(after(LOWER)).isZero();
    assertThat(after(1)).isEqualTo(1);
    assertThat(limit().largestBytes()).isEqualTo(1_250);
  }

  @Test
  void aSearchThatGoesOnNeitherLowersNorLifts() {
    paths.searching(A, B, 1_200);
    assertThat(after(60)).isZero();
    lower();
    paths.searching(A, B, 1_450);
    assertThat(after(120)).isZero();
  }

  /** Of a report that is full of what is not whole, something may have been left out. */
  @Test
  void manyPathsThatAreAwayDoNotHideOneThatIsNarrow() {
    lower();
    paths.proven(A, B, 1_500);
    for (int i = 0; i < DpuStatusStore.KEPT_PATHS; i++) {
      paths.tell(A, "dpus/other" + i, PathState.PATH_STATE_UNREACHABLE, 0);
    }
    paths.forget(A, B);
    assertThat(after(120)).isZero();
    paths.tell(A, "dpus/other0", PathState.PATH_STATE_PROVEN, 1_500);
    assertThat(after(RAISE + 1)).as("all that are not whole are there").isEqualTo(1);
  }

  @Test
  void aFallInTwoStepsDoesNotResetThePace() {
    RaisePace pace = new RaisePace();
    NetworkName name = NetworkName.parse(BLUE);
    pace.raised(name, now);
    pace.lowered(name, now);
    pace.lowered(name, now);
    assertThat(pace.of(name)).isEqualTo(RaisePace.FIRST.multipliedBy(2));
  }

  @Test
  void aSecondControlPlaneIsRefused() {
    PathLimiter other = limiter();
    paths.narrow(A, B, 1_400);
    long revision = sequencer.image().revision();
    for (int second = 0; second < 30; second++) {
      now = now.plusSeconds(1);
      limiter.look();
      other.look();
      sequencer.decide();
    }
    assertThat(sequencer.image().revision()).isEqualTo(revision + 1);
  }

  /** One that has just started has seen no path narrow: it does not take the limit away. */
  @Test
  void aControlPlaneThatStartsKeepsTheLimit() {
    lower();
    paths.away(A).away(B);
    limiter = limiter();
    assertThat(after(120)).isZero();
    paths.back(A).back(B);
    assertThat(after(120)).isZero();
    assertThat(limit().largestBytes()).isEqualTo(1_350);
  }

  /** Both directions are repaired, and seen so one after the other: the network waits once. */
  @Test
  void anotherPathThatIsAsNarrowDoesNotHoldBackTheRaise() {
    lower();
    paths.narrow(B, A, 1_400);
    after(5);
    paths.proven(A, B, 1_500);
    after(3);
    paths.proven(B, A, 1_500);
    assertThat(after(RAISE + 1)).isEqualTo(1);
    assertThat(blue().pathLimit()).isEmpty();
  }

  @Test
  void theWorseOfTwoDirectionsCounts() {
    lower();
    paths.narrow(B, A, 1_400);
    assertThat(after(60)).as("equally bad: nothing new").isZero();
    paths.narrow(B, A, 1_350);
    assertThat(after(LOWER + 1)).isEqualTo(1);
    assertThat(limit().from()).isEqualTo(new DpuName("b"));
    assertThat(blue().effectiveMtuBytes()).isEqualTo(1_300);
    sequencer.world.settle(BLUE);
    paths.proven(B, A, 1_500);
    assertThat(after(RAISE + 1)).as("back to the other").isEqualTo(1);
    assertThat(limit().from()).isEqualTo(new DpuName("a"));
    assertThat(limit().largestBytes()).isEqualTo(1_350);
  }

  @Test
  void onlyNetworksOfBothDpusAreConcernedAndManyTakeTurns() {
    int networks = 2 * PathLimiter.COMMANDS_PER_LOOK + 1;
    World world = sequencer.world;
    world.dpu("dpus/c", "192.0.2.3", 1_500);
    for (int i = 0; i < networks; i++) {
      String tenant = "tenants/t" + i / 10;
      if (i % 10 == 0) {
        world.tenant(tenant);
      }
      String network = tenant + "/networks/n" + i;
      world.network(network, "10.0." + i + ".0/24");
      world.port(network + "/ports/a", A, i + 1).port(network + "/ports/b", B, i + 1);
    }
    world.network("tenants/acme/networks/red", "10.1.0.0/24");
    world.port("tenants/acme/networks/red/ports/a", A, 100);
    world.port("tenants/acme/networks/red/ports/c", "dpus/c", 0);
    paths.proven(A, "dpus/c", 1_500).proven("dpus/c", A, 1_500).narrow(A, B, 1_400);
    assertThat(after(LOWER)).isZero();
    assertThat(after(1)).isEqualTo(PathLimiter.COMMANDS_PER_LOOK);
    assertThat(after(1)).isEqualTo(PathLimiter.COMMANDS_PER_LOOK);
    assertThat(after(10)).isEqualTo(2);
    assertThat(limiter.loweredCount()).isEqualTo(networks + 1);
    assertThat(
            sequencer.image().network(NetworkName.parse("tenants/acme/networks/red")).orElseThrow())
        .matches(red -> red.pathLimit().isEmpty());
  }

  @Test
  void thePaceDoublesUpToAnHour() {
    RaisePace pace = new RaisePace();
    NetworkName name = NetworkName.parse(BLUE);
    for (int i = 0; i < 20; i++) {
      pace.raised(name, now);
      pace.lowered(name, now);
    }
    assertThat(pace.of(name)).isEqualTo(RaisePace.LONGEST);
    pace.forget(limited -> true, now.plus(Duration.ofDays(1)));
    assertThat(pace.of(name)).as("still limited").isEqualTo(RaisePace.LONGEST);
    pace.forget(limited -> false, now);
    assertThat(pace.of(name)).isEqualTo(RaisePace.FIRST);
  }
}
