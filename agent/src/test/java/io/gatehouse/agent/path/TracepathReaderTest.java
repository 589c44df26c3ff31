package io.gatehouse.agent.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.model.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Output of tracepath from iputils 20221126, between namespaces. */
class TracepathReaderTest {
  private static final IpAddress OWN = IpAddress.parse("10.9.1.2");

  private static final String ARRIVES =
      """
       1:  10.9.1.1                                              0.114ms\s
       2:  10.9.2.2                                              0.032ms\s
       3:  10.9.3.2                                              0.076ms reached
           Resume: pmtu 1500 hops 3 back 3\s
      """;

  private static final String ANSWERED =
      """
       1:  10.9.1.1                                              0.296ms\s
       2:  10.9.1.1                                              0.144ms pmtu 1400
       2:  10.9.2.2                                              0.043ms\s
       3:  10.9.3.2                                              0.018ms reached
           Resume: pmtu 1400 hops 3 back 3\s
      """;

  private static final String SILENT =
      """
       1:  10.9.1.1                                              0.099ms asymm  2\s
       2:  no reply
       3:  no reply
           Too many hops: pmtu 1500
           Resume: pmtu 1500\s
      """;

  private static final String LOCAL =
      """
       1?: [LOCALHOST]                      pmtu 1400
       1:  10.9.1.1                                              0.296ms\s
      """;

  private static final String V6 =
      """
       1:  2001:db8:1::1                                         0.051ms\s
       2:  2001:db8:1::1                                         0.020ms pmtu 1400
      """;

  private static PathHop read(String output) {
    return TracepathReader.read(output, OWN, 1_500);
  }

  @Test
  void theHopThatSaysItsMtuIsNamed() {
    assertThat(read(ANSWERED)).isEqualTo(PathHop.at(1, IpAddress.parse("10.9.1.1"), 1_400));
    assertThat(read(V6)).isEqualTo(PathHop.at(1, IpAddress.parse("2001:db8:1::1"), 1_400));
    assertThat(read(" 3:  10.9.2.9     0.296ms pmtu 1400\n"))
        .as("another address of it")
        .isEqualTo(PathHop.at(2, IpAddress.parse("10.9.2.9"), 1_400));
  }

  @Test
  void theLastThatCarriesThePacketIsNamedWhereTheNextIsSilent() {
    assertThat(read(SILENT)).isEqualTo(PathHop.at(1, IpAddress.parse("10.9.1.1"), 0));
  }

  @Test
  void theOwnInterfaceIsHopZero() {
    assertThat(read(LOCAL)).isEqualTo(PathHop.at(0, OWN, 1_400));
  }

  @Test
  void whatNamesNoHopSaysWhy() {
    assertThat(read(ARRIVES).unknown()).contains("arrived on another way");
    for (String nothing : List.of("", " 1:  no reply\n", "tracepath: Network is unreachable\n")) {
      assertThat(read(nothing)).isEqualTo(PathHop.unknown("no hop answers"));
    }
    assertThat(read(" 1:  10.9.1.1     0.1ms pmtu 1500\n").unknown()).isNotEmpty();
  }

  @Test
  void whatIsCutOrNoiseIsReadWithoutHarm() {
    for (int length = 0; length < ANSWERED.length(); length++) {
      PathHop hop = read(ANSWERED.substring(0, length));
      assertThat(hop.distance()).as("%d characters", length).isBetween(0, 2);
    }
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = (random.nextBoolean() ? ANSWERED : V6).getBytes(StandardCharsets.US_ASCII);
      for (int hit = random.nextInt(1, 12); hit > 0; hit--) {
        noise[random.nextInt(noise.length)] = (byte) random.nextInt();
      }
      PathHop hop = read(new String(noise, StandardCharsets.ISO_8859_1));
      assertThat(hop.distance()).isBetween(0, 999);
      assertThat(hop.mtuBytes()).isBetween(0, 1_499);
      assertThat(hop.address().isPresent()).isEqualTo(hop.unknown().isEmpty());
    }
  }
}
