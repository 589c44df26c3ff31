package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.SettleMtu;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An MTU is lowered at once and raised last. */
class MtuChangeTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final NetworkName BLUE_NAME = NetworkName.parse(BLUE);
  private static final DpuName A = new DpuName("a");
  private static final DpuName B = new DpuName("b");

  private World world = new World();

  @BeforeEach
  void twoLargeDpusAndASmallOne() {
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

  private RefusedException refused(Map<DpuName, MtuChange.Facts> facts) {
    return world.refusal(new SettleMtu(world.request(), BLUE_NAME, facts));
  }

  private Map<DpuName, MtuChange.Facts> facts(DpuName dpu, MtuChange.Facts other) {
    Map<DpuName, MtuChange.Facts> facts = new HashMap<>(world.allConfirmed());
    facts.put(dpu, other);
    return facts;
  }

  @Test
  void theFirstDpuHasItsMtuAtOnce() {
    check(8_950, 8_950);
    assertThat(refused(world.allConfirmed()).reason())
        .isEqualTo("the MTU of " + BLUE + " is settled");
  }

  /** What was sent before is still taken until nobody sends it any more. */
  @Test
  void whatHostsSendGoesDownAtOnceAndWhatDevicesTakeAfterwards() {
    world.port(BLUE + "/ports/c", "dpus/c", 0);
    check(1_450, 8_950);
    world.settle(BLUE);
    check(1_450, 1_450);
  }

  /** f04: something was switched on before the MTU had come down everywhere. */
  @Test
  void f04ARaiseWaitsUntilEveryDpuHasConfirmedThatItTakesAsMuch() {
    world.port(BLUE + "/ports/c", "dpus/c", 0).settle(BLUE).delete(BLUE + "/ports/c");
    check(1_450, 8_950);
    long raised = world.image().revision();
    RefusedException refusal = refused(facts(B, new MtuChange.Facts(raised - 1, 9_000)));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).isEqualTo("dpus/b has not confirmed revision " + raised);
    world.settle(BLUE);
    check(8_950, 8_950);
  }

  @Test
  void aRaiseNeedsTheUnderlayThatTheDpuReports() {
    runs(fixed(1_400)).settle(BLUE);
    check(1_400, 1_400);
    world.run(fixed(8_950));
    long now = world.image().revision();
    assertThat(refused(facts(A, new MtuChange.Facts(now, 1_500))).reason())
        .isEqualTo("mtu 8950 needs 9000 on the underlay, dpus/a reports 1500");
    assertThat(refused(facts(A, new MtuChange.Facts(now, 0))).reason())
        .isEqualTo("dpus/a has not reported the MTU of its underlay");
    world.settle(BLUE);
    check(8_950, 8_950);
  }

  @Test
  void aChangeThatComesInBetweenIsFollowed() {
    runs(fixed(1_400)).settle(BLUE).run(fixed(8_000));
    check(1_400, 8_000);
    world.run(fixed(4_000));
    check(1_400, 8_000);
    world.settle(BLUE);
    check(4_000, 4_000);
    runs(fixed(1_400)).run(fixed(4_000));
    check(1_400, 4_000);
  }

  @Test
  void whatDevicesWereNotToldToTakeNeedsARoundOfItsOwn() {
    world.port(BLUE + "/ports/c", "dpus/c", 0).settle(BLUE);
    world.run(underlay(4_000));
    check(1_450, 3_950);
    world.delete(BLUE + "/ports/c").settle(BLUE);
    check(3_950, 8_950);
    world.settle(BLUE);
    check(8_950, 8_950);
  }

  @Test
  void aDpuThatJoinsMeanwhileCountsToo() {
    runs(fixed(1_400)).settle(BLUE).run(fixed(0));
    check(1_400, 8_950);
    world.port(BLUE + "/ports/c", "dpus/c", 0).settle(BLUE);
    check(1_450, 1_450);
  }

  private World runs(Command command) {
    world.run(command);
    return world;
  }

  private Command underlay(int mtuBytes) {
    return new UpdateDpu(
        world.request(), new DpuName("c"), new DpuPatch(null, null, mtuBytes, null), "");
  }

  private Command fixed(int mtuBytes) {
    return new UpdateNetwork(
        world.request(), BLUE_NAME, new NetworkPatch(null, null, null, mtuBytes, null), "");
  }
}
