package io.gatehouse.agent.path.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.agent.state.path.TunnelTestKind;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is sent when, and what is made of what the peer says. */
class TunnelTestRunTest {
  private static final long MILLI = 1_000_000L;
  private static final IpAddress PEER = IpAddress.parse("192.0.2.2");
  private static final NetworkPolicy BOTH = Policies.network("a/n", 7, "10.0.0.0/24", "fd00::/64");
  private static final NetworkPolicy V4 = Policies.network("a/o", 8, "10.1.0.0/24");

  private final SplittableRandom random = new SplittableRandom(2);
  private long now;

  private interface Peer {
    void hears(TunnelTestFrame frame, TunnelTestRun run);
  }

  private List<TunnelTest> run(List<NetworkPolicy> networks, Peer peer) {
    TunnelTestRun run = new TunnelTestRun(PEER, networks, random::nextLong, now);
    for (int tick = 0; tick < 1_000 && !run.isOver(now); tick++) {
      for (TunnelTestRun.Sending sending : run.next(now)) {
        assertThat(sending.vtep()).isEqualTo(PEER);
        peer.hears(TunnelTestFrame.read(sending.frame()).orElseThrow(), run);
      }
      now += 50 * MILLI;
    }
    assertThat(run.isOver(now)).isTrue();
    return run.results();
  }

  private static TunnelTest line(NetworkPolicy network, TunnelTestKind kind, int arrived) {
    return new TunnelTest(network.name(), kind, 1_450, TunnelTestRun.COPIES, arrived, 0);
  }

  @Test
  void eachKindThatANetworkHasIsSentInFullSize() {
    List<TunnelTest> results =
        run(List.of(BOTH, V4), (frame, run) -> run.arrived(PEER, frame.nonce(), true));
    assertThat(results)
        .containsExactly(
            line(BOTH, TunnelTestKind.UDP_IPV4, 8),
            line(BOTH, TunnelTestKind.TCP_IPV4, 8),
            line(BOTH, TunnelTestKind.UDP_IPV6, 8),
            line(BOTH, TunnelTestKind.TCP_IPV6, 8),
            line(V4, TunnelTestKind.UDP_IPV4, 8),
            line(V4, TunnelTestKind.TCP_IPV4, 8));
    assertThat(now).as("nothing is waited for").isLessThan(500 * MILLI);
  }

  @Test
  void whatIsLostBeforeTheSwitchKnowsThePeerDoesNotCount() {
    int[] heard = {0};
    List<TunnelTest> results =
        run(
            List.of(V4),
            (frame, run) -> {
              if (heard[0]++ > 2) {
                run.arrived(PEER, frame.nonce(), true);
              }
            });
    assertThat(results).allSatisfy(test -> assertThat(test.arrived()).isEqualTo(test.sent()));
  }

  @Test
  void lossOfAKindAndDamageAreTold() {
    List<TunnelTest> results =
        run(
            List.of(V4),
            (frame, run) -> {
              boolean small = frame.innerBytes() == TunnelTestFrame.MIN_BYTES;
              if (small || frame.kind() == TunnelTestKind.TCP_IPV4) {
                run.arrived(PEER, frame.nonce(), small);
              }
            });
    assertThat(results)
        .containsExactly(
            line(V4, TunnelTestKind.UDP_IPV4, 0),
            new TunnelTest(V4.name(), TunnelTestKind.TCP_IPV4, 1_450, 8, 0, 8));
  }

  @Test
  void othersWordsAndRepeatsDoNotCount() {
    List<TunnelTest> results =
        run(
            List.of(V4),
            (frame, run) -> {
              run.arrived(IpAddress.parse("192.0.2.3"), frame.nonce(), true);
              run.arrived(PEER, frame.nonce() + 1, true);
              if (frame.kind() == TunnelTestKind.TCP_IPV4) {
                run.arrived(PEER, frame.nonce(), true);
                run.arrived(PEER, frame.nonce(), false);
              }
            });
    assertThat(results)
        .containsExactly(
            line(V4, TunnelTestKind.UDP_IPV4, 0), line(V4, TunnelTestKind.TCP_IPV4, 8));
  }

  @Test
  void aDeadTunnelEndsInTime() {
    List<NetworkPolicy> many = new ArrayList<>(Collections.nCopies(40, V4));
    List<TunnelTest> results = run(many, (frame, run) -> {});
    assertThat(results).hasSize(2 * TunnelTestRun.MAX_NETWORKS);
    assertThat(results).extracting(TunnelTest::arrived).containsOnly(0);
    assertThat(now).isLessThan(6_000 * MILLI);
  }

  @Test
  void noNetworkIsNoTest() {
    assertThat(run(List.of(), (frame, run) -> {})).isEmpty();
  }
}
