package io.gatehouse.model.mtu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.mtu.EspEncapsulation.Cipher;
import io.gatehouse.model.mtu.EspEncapsulation.Mode;
import io.gatehouse.model.mtu.EspEncapsulation.NatTraversal;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress.Family;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What fits into what, for every stack that there is. */
class EncapsulationStackTest {
  private static final int MIN_UNDERLAY = 576;
  private static final int MAX_UNDERLAY = 65_535;

  private static int fits(int underlay, Family family, Mode mode, Cipher cipher, NatTraversal nat) {
    return Stacks.esp(family, mode, cipher, nat).largestInnerBytes(underlay);
  }

  /** f08: VXLAN over IPv6 takes 70. */
  @Test
  void plainVxlanTakes50Or70() {
    assertThat(EncapsulationStack.vxlan(Family.V4).largestInnerBytes(1_500)).isEqualTo(1_450);
    assertThat(EncapsulationStack.vxlan(Family.V6).largestInnerBytes(1_500)).isEqualTo(1_430);
    assertThat(EncapsulationStack.vxlan(Family.V4).largestInnerBytes(9_000)).isEqualTo(8_950);
    assertThat(EncapsulationStack.vxlan(Family.V6).largestInnerBytes(9_000)).isEqualTo(8_930);
    assertThat(EncapsulationStack.vxlan(Family.V4).neededUnderlayBytes(9_000)).isEqualTo(9_050);
  }

  /** f01: above 1396 packets vanished, as nobody had counted ESP. */
  @Test
  void f01EspIsCountedByModeCipherAndNatTraversal() {
    NatTraversal none = NatTraversal.NONE;
    NatTraversal udp = NatTraversal.UDP;
    Cipher gcm = Cipher.AES_GCM;
    Cipher cbc = Cipher.AES_CBC_SHA256;
    assertThat(fits(1_500, Family.V4, Mode.TRANSPORT, gcm, none)).isEqualTo(1_416);
    assertThat(fits(1_500, Family.V4, Mode.TRANSPORT, gcm, udp)).isEqualTo(1_408);
    assertThat(fits(1_500, Family.V4, Mode.TUNNEL, gcm, none)).isEqualTo(1_396);
    assertThat(fits(9_000, Family.V4, Mode.TRANSPORT, gcm, none)).isEqualTo(8_916);
    assertThat(fits(9_000, Family.V4, Mode.TRANSPORT, gcm, udp)).isEqualTo(8_908);
    assertThat(fits(9_000, Family.V4, Mode.TUNNEL, gcm, none)).isEqualTo(8_896);
    assertThat(fits(1_500, Family.V6, Mode.TRANSPORT, gcm, none)).isEqualTo(1_396);
    assertThat(fits(1_500, Family.V6, Mode.TRANSPORT, gcm, udp)).isEqualTo(1_388);
    assertThat(fits(1_500, Family.V4, Mode.TRANSPORT, cbc, none)).isEqualTo(1_408);
    assertThat(fits(1_500, Family.V6, Mode.TRANSPORT, cbc, none)).isEqualTo(1_376);
    assertThat(fits(1_500, Family.V4, Mode.TUNNEL, Cipher.CHACHA20_POLY1305, none))
        .isEqualTo(1_396);
  }

  /** f02: of two encapsulations around each other only one was counted. */
  @Test
  void f02EachOfStackedEncapsulationsCountsInItsOrder() {
    EncapsulationStack twice =
        EncapsulationStack.vxlan(Family.V4).within(new VxlanEncapsulation(Family.V6, 0));
    assertThat(twice.largestInnerBytes(1_500)).isEqualTo(1_500 - 50 - 70);
    EspEncapsulation esp =
        new EspEncapsulation(Mode.TUNNEL, Cipher.AES_CBC_SHA256, NatTraversal.NONE, Family.V4);
    VxlanEncapsulation vxlan = new VxlanEncapsulation(Family.V4, 0);
    EncapsulationStack espOutside = new EncapsulationStack(List.of(vxlan, esp));
    EncapsulationStack espInside = new EncapsulationStack(List.of(esp, vxlan));
    assertThat(espOutside.largestInnerBytes(1_510)).isEqualTo(1_388);
    assertThat(espInside.largestInnerBytes(1_510)).isEqualTo(1_390);
  }

  /** f05: a device of 65535 gave tenants more than a tunnel port takes. */
  @Test
  void f05NothingIsLargerThanATunnelPortTakes() {
    EncapsulationStack vxlan = EncapsulationStack.vxlan(Family.V4);
    assertThat(vxlan.largestInnerBytes(65_535)).isEqualTo(64_950);
    assertThat(vxlan.budget(65_535))
        .contains(new BudgetLine("beyond the 65000 of a tunnel port", 535));
  }

  @Test
  void innerTagsCountAndOuterOnesAreOfTheFrame() {
    VxlanEncapsulation tagged = new VxlanEncapsulation(Family.V4, 1);
    assertThat(tagged.largestInnerBytes(1_500)).isEqualTo(1_446);
    assertThat(EncapsulationStack.frameBytes(1_500, 0)).isEqualTo(1_514);
    assertThat(EncapsulationStack.frameBytes(1_500, 1)).isEqualTo(1_518);
    assertThat(EncapsulationStack.frameBytes(1_500, 2)).isEqualTo(1_522);
    assertThatThrownBy(() -> new VxlanEncapsulation(Family.V4, 3))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("inner_tags=3");
  }

  @Test
  void theLargestFitsAndOneMoreByteDoesNot() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      EncapsulationStack stack = randomStack(random);
      int underlay = random.nextInt(MIN_UNDERLAY, EncapsulationStack.MAX_TUNNEL_MTU_BYTES + 1);
      int largest = stack.largestInnerBytes(underlay);
      String at = "seed " + seed + ", " + stack + ", underlay " + underlay;
      if (largest == 0) {
        continue;
      }
      assertThat(stack.neededUnderlayBytes(largest)).as(at).isLessThanOrEqualTo(underlay);
      assertThat(stack.neededUnderlayBytes(largest + 1)).as(at).isGreaterThan(underlay);
    }
  }

  @Test
  void whatIsNeededIsTheLeastThatIsEnough() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      EncapsulationStack stack = randomStack(random);
      int inner = random.nextInt(1, 60_000);
      int needed = stack.neededUnderlayBytes(inner);
      String at = "seed " + seed + ", " + stack + ", inner " + inner;
      if (needed > EncapsulationStack.MAX_TUNNEL_MTU_BYTES) {
        continue;
      }
      assertThat(stack.largestInnerBytes(needed)).as(at).isGreaterThanOrEqualTo(inner);
      assertThat(stack.largestInnerBytes(needed - 1)).as(at).isLessThan(inner);
    }
  }

  @Test
  void aLargerUnderlayNeverCarriesLess() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      EncapsulationStack stack = randomStack(random);
      int before = 0;
      for (int underlay = MIN_UNDERLAY; underlay <= MAX_UNDERLAY; underlay += 7) {
        int now = stack.largestInnerBytes(underlay);
        assertThat(now).as("%s, underlay %d", stack, underlay).isGreaterThanOrEqualTo(before);
        before = now;
      }
    }
  }

  @Test
  void theBudgetAddsUp() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 5_000; i++) {
      EncapsulationStack stack = randomStack(random);
      int underlay = random.nextInt(1_500, MAX_UNDERLAY + 1);
      int taken = stack.budget(underlay).stream().mapToInt(BudgetLine::bytes).sum();
      assertThat(underlay - taken)
          .as("%s, underlay %d", stack, underlay)
          .isEqualTo(stack.largestInnerBytes(underlay));
    }
  }

  private static EncapsulationStack randomStack(SplittableRandom random) {
    List<Encapsulation> layers = new ArrayList<>();
    layers.add(new VxlanEncapsulation(pick(random, Family.values()), random.nextInt(3)));
    int more = random.nextInt(4);
    for (int i = 0; i < more; i++) {
      layers.add(
          random.nextInt(4) == 0
              ? new VxlanEncapsulation(pick(random, Family.values()), random.nextInt(3))
              : new EspEncapsulation(
                  pick(random, Mode.values()),
                  pick(random, Cipher.values()),
                  pick(random, NatTraversal.values()),
                  pick(random, Family.values())));
    }
    if (random.nextBoolean()) {
      Collections.reverse(layers);
    }
    return new EncapsulationStack(layers);
  }

  private static <T> T pick(SplittableRandom random, T[] values) {
    return values[random.nextInt(values.length)];
  }
}
