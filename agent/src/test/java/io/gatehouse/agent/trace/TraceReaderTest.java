package io.gatehouse.agent.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.model.net.IpAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of {@code ofproto/trace}, as Open vSwitch 3.1.0 wrote them. */
final class TraceReaderTest {
  private static final int IN_PORT = 2;

  private static String captured(String name) throws IOException {
    return Files.readString(Path.of("src", "test", "resources", "trace", name + ".txt"));
  }

  private static Trace read(String name) throws Exception {
    return TraceReader.read(captured(name), IN_PORT);
  }

  @Test
  void aBroadcastGoesOutAtEachPortButNotWhereItCameFrom() throws Exception {
    Trace trace = read("broadcast");
    assertThat(trace.ports()).as("into the tunnel twice").containsExactly(3, 1, 1);
    assertThat(trace.sent().get(2))
        .isEqualTo(new Trace.Sent(1, 0x64, Optional.of(IpAddress.parse("192.0.2.3"))));
    assertThat(trace.floods()).isFalse();
    assertThat(trace.steps()).extracting(Trace.Step::table).startsWith(0, 10, 20, 50, 80);
    assertThat(trace.steps().get(1))
        .isEqualTo(
            new Trace.Step(
                10,
                100,
                0x4748db9abf887e65L,
                "ip,in_port=2,dl_src=02:00:00:00:00:01,nw_src=10.0.0.1"));
  }

  @Test
  void whatTheBridgeBelowDoesWithATunnelsPacketIsNotOurs() throws Exception {
    Trace trace = read("native-tunnel");
    assertThat(trace.floods()).isFalse();
    assertThat(trace.sent())
        .containsExactly(
            new Trace.Sent(1, 1, Optional.of(IpAddress.parse("172.16.2.1"))),
            new Trace.Sent(1, 1, Optional.of(IpAddress.parse("172.16.3.1"))));
    assertThat(trace.steps())
        .extracting(Trace.Step::table)
        .containsExactly(0, 10, 20, 50, 80, 80, 80);
    String two =
        """
        Flow: in_port=2

        bridge("gh-int")
        ----------------
         0. in_port=2, priority 1
            output:1

            bridge("br-phy")
            ----------------
             0. priority 0
                output:7
                NORMAL
            output:3

        Final flow: unchanged
        Datapath actions: 3
        """;
    assertThat(TraceReader.read(two, IN_PORT).ports()).containsExactly(1);
    String after = two.replace("    output:3", "  output:3");
    assertThat(TraceReader.read(after, IN_PORT).ports()).containsExactly(1, 3);
  }

  @Test
  void anAnswerGoesBackWhereTheQuestionCameFrom() throws Exception {
    assertThat(read("answered").ports()).containsExactly(IN_PORT);
  }

  @Test
  void aDropGoesNowhereAndNamesItsFlow() throws Exception {
    Trace trace = read("dropped");
    assertThat(trace.ports()).isEmpty();
    assertThat(trace.steps())
        .extracting(Trace.Step::toString)
        .containsExactly("table=0,priority=0,cookie=0x474811fd413adadf");
  }

  @Test
  void copiesThatTheConnectionTrackerBringsBackAreFollowed() throws Exception {
    Trace trace = read("tracked");
    assertThat(trace.ports()).containsExactly(Actions.CONTROLLER, 5);
    assertThat(trace.steps()).extracting(Trace.Step::table).containsExactly(0, 31, 32, 33, 50, 71);
  }

  @Test
  void aFloodAndAPortThatIsNotThere() throws Exception {
    Trace trace = read("flooded");
    assertThat(trace.ports()).containsExactly(4, 5, Actions.CONTROLLER);
    assertThat(trace.floods()).isTrue();
  }

  @Test
  void whatTheSwitchGivesUpIsADrop() throws Exception {
    assertThat(read("given-up").ports()).isEmpty();
    assertThat(read("given-up").steps()).hasSize(65);
  }

  @ParameterizedTest
  @ValueSource(strings = {"broadcast", "answered", "dropped", "tracked", "flooded"})
  void halfATraceIsNoTrace(String name) throws Exception {
    String text = captured(name);
    int end = text.lastIndexOf("Datapath actions: ");
    for (int length = 0; length < end; length++) {
      String cut = text.substring(0, length);
      assertThatThrownBy(() -> TraceReader.read(cut, IN_PORT))
          .as("%d characters", length)
          .isInstanceOf(UnreadableTraceException.class);
    }
  }

  @Test
  void noTextBreaksTheReader() throws Exception {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = captured("tracked").lines().toList();
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int line = random.nextInt(40); line > 0; line--) {
        byte[] noise = new byte[random.nextInt(30)];
        random.nextBytes(noise);
        text.append(
                random.nextBoolean()
                    ? lines.get(random.nextInt(lines.size()))
                    : new String(noise, StandardCharsets.ISO_8859_1))
            .append('\n');
      }
      try {
        Trace trace = TraceReader.read(text.toString(), IN_PORT);
        assertThat(trace.ports().size()).as("seed %d", seed).isLessThan(80);
      } catch (UnreadableTraceException e) {
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isGreaterThan(1_000);
  }
}
