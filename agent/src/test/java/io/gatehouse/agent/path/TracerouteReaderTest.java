package io.gatehouse.agent.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.model.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Output of traceroute 2.1.2, between namespaces. */
class TracerouteReaderTest {
  private static final IpAddress OWN = IpAddress.parse("172.16.1.1");
  private static final IpAddress TO = IpAddress.parse("172.16.2.1");

  private static final String ARRIVES =
      """
      traceroute to 172.16.2.1 (172.16.2.1), 8 hops max, 1500 byte packets
       1  172.16.1.254  1.747 ms
       2  172.30.1.1  14.149 ms
       3  172.30.2.2  1.344 ms
       4  172.16.2.1  25.102 ms
      """;

  private static final String ANSWERED =
      """
      traceroute to 172.16.2.1 (172.16.2.1), 8 hops max, 1500 byte packets
       1  172.16.1.254  6.436 ms
       2  172.16.1.254  9.486 ms !F-1400
      """;

  private static final String SILENT =
      """
      traceroute to 172.16.2.1 (172.16.2.1), 8 hops max, 1500 byte packets
       1  172.16.1.254  1.858 ms
       2  *
       3  172.30.1.1  8.536 ms
       4  *
       5  *
      """;

  private static final String LOCAL =
      """
      traceroute to 172.16.2.1 (172.16.2.1), 8 hops max, 1500 byte packets
       1  *  0.018 ms !F-1400
      """;

  private static final String V6 =
      """
      traceroute to fd16:0:0:2::1 (fd16:0:0:2::1), 8 hops max, 1500 byte packets
       1  fd16:0:0:1::fe  0.051 ms
       2  fd16:0:0:1::fe  0.020 ms !F-1400
      """;

  private static PathHop read(String output) {
    return TracerouteReader.read(output, OWN, TO, 1_500);
  }

  @Test
  void theHopThatSaysItsMtuIsNamed() {
    assertThat(read(ANSWERED)).isEqualTo(PathHop.at(1, IpAddress.parse("172.16.1.254"), 1_400));
    assertThat(read(V6)).isEqualTo(PathHop.at(1, IpAddress.parse("fd16:0:0:1::fe"), 1_400));
    assertThat(read(" 3  10.9.2.9  0.296 ms !F-1400\n"))
        .as("another address of it")
        .isEqualTo(PathHop.at(2, IpAddress.parse("10.9.2.9"), 1_400));
  }

  @Test
  void theLastThatCarriesThePacketIsNamedWhereTheNextIsSilent() {
    assertThat(read(SILENT)).isEqualTo(PathHop.at(3, IpAddress.parse("172.30.1.1"), 0));
  }

  @Test
  void theOwnInterfaceIsHopZero() {
    assertThat(read(LOCAL)).isEqualTo(PathHop.at(0, OWN, 1_400));
  }

  @Test
  void whatNamesNoHopSaysWhy() {
    assertThat(read(ARRIVES).unknown()).contains("arrived on another way");
    for (String nothing : List.of("", " 1  *\n", "connect: Network is unreachable\n")) {
      assertThat(read(nothing)).isEqualTo(PathHop.unknown("no hop answers"));
    }
    assertThat(read(" 4  172.16.2.1  0.1 ms !F-1500\n").unknown()).isNotEmpty();
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
