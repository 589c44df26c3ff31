package io.gatehouse.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.agent.state.path.PathMeasurement;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.agent.state.path.TunnelTest;
import io.gatehouse.agent.state.path.TunnelTestKind;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is said of a path that was measured on demand. */
class PathDeskTest {
  private static final NetworkName NETWORK = NetworkName.parse("tenants/a/networks/n");
  private static final PathQuery QUERY =
      PathQuery.newBuilder().setQueryId(7).setPeer("dpus/b").setNetwork(NETWORK.toString()).build();

  private static PathMeasurement measured() {
    PathVerdict verdict = new PathVerdict(PathState.BLACK_HOLE, 1_500, 1_400, 1_401);
    List<TunnelTest> tests =
        Arrays.stream(TunnelTestKind.values())
            .map(kind -> new TunnelTest(NETWORK, kind, 1_450, 8, 6, 1))
            .toList();
    return new PathMeasurement(
        new PathStatus(IpAddress.parse("192.0.2.2"), verdict, Instant.EPOCH),
        Optional.of(PathHop.at(1, IpAddress.parse("198.51.100.1"), 1_400)),
        tests,
        "");
  }

  @Test
  void allThatWasMeasuredIsSaid() {
    PathDesk desk =
        new PathDesk(
            (peer, only) -> {
              assertThat(peer).hasToString("dpus/b");
              assertThat(only).contains(NETWORK);
              return CompletableFuture.completedFuture(measured());
            });
    PathAnswer answer = desk.answer(QUERY).join();
    assertThat(answer.getQueryId()).isEqualTo(7);
    assertThat(answer.getPath().getPeer()).isEqualTo("dpus/b");
    assertThat(answer.getPath().getLostBytes()).isEqualTo(1_401);
    assertThat(answer.getPath().getHop().getAddress()).isEqualTo("198.51.100.1");
    assertThat(answer.getPath().getHop().getMtuBytes()).isEqualTo(1_400);
    assertThat(answer.getTunnelTestsList())
        .hasSize(4)
        .allSatisfy(test -> assertThat(test.getDamagedCount()).isEqualTo(1))
        .extracting(io.gatehouse.proto.v1.TunnelTest::getKindValue)
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  void whatCannotBeMeasuredIsSaidToo() {
    PathDesk busy =
        new PathDesk(
            (peer, only) -> CompletableFuture.failedFuture(new IllegalStateException("busy")));
    assertThat(busy.answer(QUERY).join())
        .isEqualTo(PathAnswer.newBuilder().setQueryId(7).setUnavailable("busy").build());
    for (PathQuery wrong :
        List.of(
            QUERY.toBuilder().setPeer("b").build(), QUERY.toBuilder().setNetwork("n").build())) {
      PathAnswer answer = busy.answer(wrong).join();
      assertThat(answer.hasPath()).isFalse();
      assertThat(answer.getUnavailable()).isNotEmpty().isNotEqualTo("busy");
    }
  }
}
