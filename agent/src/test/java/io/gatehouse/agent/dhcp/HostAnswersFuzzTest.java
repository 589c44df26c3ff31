package io.gatehouse.agent.dhcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a host sends: a verdict, and never another host's MAC as the receiver. */
final class HostAnswersFuzzTest {
  private static final HostTerms TERMS = Hosts.configured("10.0.0.1", "fd00::1");

  @Test
  void everyTruncationHasAVerdict() throws Exception {
    for (Octets question : CapturedQuestions.ALL) {
      byte[] whole = question.toBytes();
      int dropped = 0;
      for (int length = 0; length < whole.length; length++) {
        dropped += check(Octets.of(Arrays.copyOf(whole, length))) ? 0 : 1;
      }
      assertThat(dropped).isEqualTo(whole.length);
      assertThat(check(question)).isTrue();
    }
  }

  @Test
  void spoiltAndRandomPacketsHaveAVerdict() throws Exception {
    int answered = 0;
    for (long seed = 0; seed < 30_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] frame =
          CapturedQuestions.ALL.get(random.nextInt(CapturedQuestions.ALL.size())).toBytes();
      for (int i = 0; i < 1 + random.nextInt(6); i++) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt();
      }
      try {
        answered += check(Octets.of(frame)) ? 1 : 0;
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(answered).isBetween(1_000, 29_000);
  }

  /** True if it is answered; the answer is then from the server, or in a router's name. */
  private static boolean check(Octets question) throws MalformedPacketException {
    if (!(HostAnswers.answer(question, TERMS) instanceof Verdict.Answered answered)) {
      return false;
    }
    for (Octets frame : answered.frames()) {
      Datagram datagram = DatagramCodec.read(frame);
      assertThat(datagram.link().from()).isIn(ServerIdentity.MAC, Hosts.ROUTER_MAC);
      assertThat(datagram.link().to().isGroup() || datagram.link().to().equals(Hosts.MAC)).isTrue();
    }
    return true;
  }
}
