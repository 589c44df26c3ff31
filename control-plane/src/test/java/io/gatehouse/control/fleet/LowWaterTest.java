package io.gatehouse.control.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.testing.TestFleet;
import io.gatehouse.model.name.DpuName;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class LowWaterTest {
  private static final DpuName D1 = new DpuName("d1");
  private static final DpuName D2 = new DpuName("d2");
  private static final DpuProgress CURRENT = new DpuProgress(1, 0);

  static Stream<Arguments> progress() {
    return Stream.of(
        // Newest revision 9; progress of d1 and d2; low-water mark; laggards, the furthest first.
        Arguments.of(CURRENT, CURRENT, 9, List.of()),
        Arguments.of(CURRENT, new DpuProgress(3, 7), 6, List.of(D2)),
        Arguments.of(new DpuProgress(0, 1), new DpuProgress(3, 7), 0, List.of(D1, D2)),
        Arguments.of(new DpuProgress(5, 8), new DpuProgress(3, 4), 3, List.of(D2, D1)),
        Arguments.of(new DpuProgress(5, 6), new DpuProgress(5, 6), 5, List.of(D1, D2)));
  }

  @ParameterizedTest
  @MethodSource("progress")
  void theMarkIsWhatTheSlowestHasConfirmed(
      DpuProgress first, DpuProgress second, long applied, List<DpuName> laggards) {
    LowWater mark = LowWater.of(imageAt(9), List.of(D1, D2), Map.of(D1, first, D2, second));
    assertThat(mark.applied()).isEqualTo(applied);
    assertThat(mark.laggards()).isEqualTo(laggards);
    assertThat(mark.dpuCount()).isEqualTo(2);
  }

  @Test
  void whatNobodyCarriesIsReal() {
    assertThat(LowWater.of(imageAt(9), List.of(), Map.of()).applied()).isEqualTo(9);
  }

  @Test
  void aDpuThatHasNotReportedHasNothing() {
    LowWater mark = LowWater.of(imageAt(9), List.of(D1), Map.of());
    assertThat(mark.applied()).isZero();
    assertThat(mark.laggards()).containsExactly(D1);
  }

  static Stream<Arguments> steps() {
    DpuProgress start = new DpuProgress(5, 0);
    return Stream.of(
        Arguments.of("concerned", start.concerned(7), new DpuProgress(5, 7)),
        Arguments.of("concerned twice", start.concerned(7).concerned(9), new DpuProgress(5, 7)),
        Arguments.of("told before", start.concerned(4), start),
        Arguments.of("all", start.concerned(7).reported(7, 7), new DpuProgress(7, 0)),
        Arguments.of("more than all", start.concerned(7).reported(8, 7), new DpuProgress(8, 0)),
        Arguments.of("some", start.concerned(7).concerned(9).reported(7, 9), new DpuProgress(7, 8)),
        Arguments.of("none of it", start.concerned(7).reported(5, 7), new DpuProgress(5, 7)),
        Arguments.of("lost it", start.reported(2, 5), new DpuProgress(2, 3)),
        Arguments.of("rebooted", start.reported(0, 5), new DpuProgress(0, 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("steps")
  void progressFollowsCommitsAndReports(String name, DpuProgress step, DpuProgress expected) {
    assertThat(step).isEqualTo(expected);
  }

  @Test
  void aDeadDpuHoldsUpOnlyWhatConcernsIt() {
    DpuProgress dead = new DpuProgress(5, 0).concerned(51);
    assertThat(dead.confirmed(80)).isEqualTo(50);
  }

  private static Image imageAt(long revision) {
    TestFleet fleet = new TestFleet();
    while (fleet.image().revision() < revision) {
      fleet.become("d1", "d2");
    }
    return fleet.image();
  }
}
