package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.NetworkCommand.LimitPath;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.Cidr;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A path that carries less lowers an automatic network and leaves a fixed one as it is. */
class PathLimitTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final NetworkName BLUE_NAME = NetworkName.parse(BLUE);
  private static final DpuName A = new DpuName("a");
  private static final DpuName B = new DpuName("b");
  private static final DpuName C = new DpuName("c");

  private World world = new World();

  @BeforeEach
  void threeDpus() {
    world = new World().tenant("tenants/acme");
    world.dpu("dpus/a", "192.0.2.1", 9_000).dpu("dpus/b", "192.0.2.2", 9_000);
    world.dpu("dpus/c", "192.0.2.3", 1_500).network(BLUE, "10.0.0.0/24");
    world.port(BLUE + "/ports/a", "dpus/a", 0).port(BLUE + "/ports/b", "dpus/b", 0);
  }

  private Network blue() {
    return world.image().network(BLUE_NAME).orElseThrow();
  }

  private void check(int effective, int receive) {
    assertThat(blue().effectiveMtuBytes()).isEqualTo(effective);
    assertThat(blue().receiveMtuBytes()).isEqualTo(receive);
  }

  private LimitPath limit(NarrowPath... narrow) {
    return new LimitPath(world.request(), BLUE_NAME, List.of(narrow));
  }

  private static NarrowPath path(DpuName from, DpuName to, int provenBytes) {
    return new NarrowPath(from, to, provenBytes);
  }

  private World lowered(int provenBytes) {
    world.run(limit(path(A, B, provenBytes)));
    return world.settle(BLUE);
  }

  private UpdateNetwork asked(int mtuBytes) {
    NetworkPatch patch = new NetworkPatch(null, null, null, mtuBytes, null);
    return new UpdateNetwork(world.request(), BLUE_NAME, patch, "");
  }

  private UpdateDpu underlay(DpuName dpu, int mtuBytes) {
    return new UpdateDpu(world.request(), dpu, new DpuPatch(null, null, mtuBytes, null), "");
  }

  @Test
  void anAutomaticNetworkGoesDownAndUpInTwoSteps() {
    world.run(limit(path(A, B, 4_000)));
    check(3_950, 8_950);
    assertThat(blue().isLowered()).isTrue();
    assertThat(blue().probeMtuBytes()).as("or nobody learns that it is whole").isEqualTo(8_950);
    world.settle(BLUE);
    check(3_950, 3_950);
    world.run(limit());
    check(3_950, 8_950);
    assertThat(blue().isLowered()).isFalse();
    world.settle(BLUE);
    check(8_950, 8_950);
    assertThat(blue().probeMtuBytes()).isEqualTo(8_950);
  }

  @Test
  void aFixedNetworkKeepsItsMtuAndIsDegraded() {
    world.run(asked(8_000));
    world.settle(BLUE).run(limit(path(A, B, 4_000)));
    check(8_000, 8_000);
    assertThat(blue().isDegraded()).isTrue();
    assertThat(blue().isLowered()).isFalse();
    assertThat(world.refusal(limit(path(A, B, 4_000))).kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    world.run(limit());
    check(8_000, 8_000);
    assertThat(blue().isDegraded()).isFalse();
  }

  @Test
  void theWorstPathBetweenItsDpusCounts() {
    world.run(limit(path(A, B, 4_000), path(B, A, 3_000), path(A, C, 1_400), path(A, A, 1_300)));
    check(2_950, 8_950);
    PathLimit limit = blue().pathLimit().orElseThrow();
    assertThat(limit.from()).isEqualTo(B);
    assertThat(limit.to()).isEqualTo(A);
    assertThat(world.refusal(limit(path(B, A, 3_000), path(A, B, 3_000))).reason())
        .isEqualTo("the limit of " + BLUE + "'s paths is known");
  }

  @Test
  void whatIsWholeOrNothingIsNoLimit() {
    assertThat(world.refusal(limit(path(A, B, 9_000))).kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(world.refusal(limit(path(A, B, 50))).kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(world.refusal(limit(path(A, C, 1_400))).kind()).isEqualTo(Kind.FAILED_PRECONDITION);
  }

  @Test
  void anMtuIsNotLoweredBelowWhatTheFamilyNeeds() {
    lowered(600);
    check(576, 576);
    assertThat(blue().isDegraded()).as("550 is less").isTrue();
    NetworkPatch patch = new NetworkPatch(null, null, List.of(Cidr.parse("fd00::/64")), null, null);
    world.run(limit());
    world.run(new UpdateNetwork(world.request(), BLUE_NAME, patch, ""));
    world.settle(BLUE);
    lowered(1_300);
    check(1_280, 1_280);
    assertThat(blue().isDegraded()).isTrue();
    world.run(limit(path(A, B, 1_331)));
    world.settle(BLUE);
    check(1_281, 1_281);
    assertThat(blue().isLowered()).isTrue();
  }

  @Test
  void theLimitStaysWhenTheNetworkIsFixedAndWhenItIsAutomaticAgain() {
    lowered(4_000).run(asked(8_000));
    check(3_950, 8_000);
    assertThat(blue().isDegraded()).isTrue();
    assertThat(blue().pathLimit().orElseThrow().unlimitedBytes()).isEqualTo(8_000);
    world.settle(BLUE);
    check(8_000, 8_000);
    world.run(asked(0));
    check(3_950, 8_950 - 950);
    assertThat(blue().isLowered()).isTrue();
    world.settle(BLUE);
    check(3_950, 3_950);
    world.run(asked(3_950));
    assertThat(blue().pathLimit()).as("what is asked for arrives").isEmpty();
  }

  @Test
  void aLimitEndsWithItsDpus() {
    world.port(BLUE + "/ports/b2", "dpus/b", 1);
    lowered(4_000).delete(BLUE + "/ports/b2");
    assertThat(blue().pathLimit()).isPresent();
    world.delete(BLUE + "/ports/b");
    assertThat(blue().pathLimit()).isEmpty();
    world.settle(BLUE);
    check(8_950, 8_950);
  }

  @Test
  void aLimitEndsWhenAPortMoves() {
    world.dpu("dpus/d", "192.0.2.4", 9_000);
    lowered(4_000);
    PortPatch moved =
        new PortPatch(null, new DpuName("d"), "pf0vf7", null, null, null, null, null, null);
    world.run(
        new UpdatePort(
            world.request(),
            PortName.parse(BLUE + "/ports/b"),
            moved,
            "",
            PortCommand.KnownFunctions.NONE));
    assertThat(blue().pathLimit()).isEmpty();
    world.settle(BLUE);
    check(8_950, 8_950);
  }

  @Test
  void aSmallerDpuThatJoinsTakesThePlaceOfTheLimitAndALargerOneDoesNot() {
    world.dpu("dpus/d", "192.0.2.4", 4_200);
    lowered(4_000).port(BLUE + "/ports/d", "dpus/d", 0);
    check(3_950, 3_950);
    assertThat(blue().pathLimit().orElseThrow().unlimitedBytes()).isEqualTo(4_150);
    world.port(BLUE + "/ports/c", "dpus/c", 0);
    check(1_450, 3_950);
    assertThat(blue().pathLimit()).isEmpty();
  }

  @Test
  void aLimitKeepsUpWithWhatIsDeclared() {
    lowered(4_000).run(underlay(A, 6_000));
    check(3_950, 3_950);
    assertThat(blue().probeMtuBytes()).isEqualTo(5_950);
    world.run(underlay(A, 2_000));
    check(1_950, 3_950);
    assertThat(blue().pathLimit()).isEmpty();
  }

  /** The name of the path is for people: no DPU is told anew because of it. */
  @Test
  void dpusAreToldOfSizesAlone() {
    assertThat(concernedBy(limit(path(A, B, 4_000)))).isEqualTo(2);
    world.settle(BLUE);
    assertThat(concernedBy(limit(path(B, A, 4_000)))).isZero();
    assertThat(blue().pathLimit().orElseThrow().from()).isEqualTo(B);
    assertThat(concernedBy(limit())).isEqualTo(2);
  }

  private int concernedBy(Command command) {
    Image before = world.image();
    Entry entry = world.run(command);
    return AffectedDpus.of(before, world.image(), entry).size();
  }
}
