package io.gatehouse.agent.device.nft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GuardListingTest {
  /** Taken from nft 1.0.6 on Linux 6.18. */
  private static final String TEXT =
      """
      table netdev gatehouse {
      \tchain v0 {
      \t\ttype filter hook ingress device "v0" priority -500; policy drop;
      \t}

      \tchain 0a-b.c {
      \t\ttype filter hook ingress device "0a-b.c" priority -500; policy drop;
      \t}

      \tchain rule {
      \t\ttype filter hook ingress device "rule" priority -500; policy drop;
      \t\taccept
      \t}

      \tchain other {
      \t\ttype filter hook ingress device "v0" priority -500; policy drop;
      \t}

      \tchain late {
      \t\ttype filter hook ingress device "late" priority 0; policy drop;
      \t}

      \tchain open {
      \t\ttype filter hook ingress device "open" priority -500; policy accept;
      \t}

      \tchain plain {
      \t}
      }
      """;

  @Test
  void countsOnlyChainsOfExactlyOurShape() {
    GuardListing listing = GuardListing.parse(TEXT);
    assertThat(listing.guarded()).containsExactly("0a-b.c", "v0");
    assertThat(listing.bent()).containsExactlyInAnyOrder("rule", "other", "late", "open", "plain");
    assertThat(listing.asleep()).isFalse();
    assertThat(listing.holds("v0")).isTrue();
    assertThat(listing.holds("plain")).isTrue();
    assertThat(listing.holds("absent")).isFalse();
  }

  @Test
  void countsNothingInATableThatIsSwitchedOff() {
    String dormant = TEXT.replace("gatehouse {\n", "gatehouse {\n\tflags dormant\n\n");
    GuardListing listing = GuardListing.parse(dormant);
    assertThat(listing.asleep()).isTrue();
    assertThat(listing.guarded()).isEmpty();
    assertThat(listing.bent()).contains("v0", "0a-b.c");
  }

  @Test
  void neverFailsOnTextThatWasCutOrChanged() {
    long seed = 20_260_101;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder(TEXT.substring(0, random.nextInt(TEXT.length() + 1)));
      for (int j = 0; j < 3 && !text.isEmpty(); j++) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(128));
      }
      assertThat(GuardListing.parse(text.toString())).as("seed %d, %s", seed, text).isNotNull();
    }
  }
}
