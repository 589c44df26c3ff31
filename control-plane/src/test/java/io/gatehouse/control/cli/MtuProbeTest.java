package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.PathHop;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.ProbePathRequest;
import io.gatehouse.proto.v1.ProbePathResponse;
import io.gatehouse.proto.v1.ProbedPath;
import io.gatehouse.proto.v1.TunnelTest;
import io.gatehouse.proto.v1.TunnelTestKind;
import io.gatehouse.proto.v1.UnderlayPath;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gatehouse mtu probe}, up to what a script sees. */
class MtuProbeTest {
  @TempDir java.nio.file.Path directory;
  private CliFixture cli;
  private ProbePathResponse.Builder answer;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    answer = cli.controlPlane.paths.probed;
  }

  @AfterEach
  void stop() {
    cli.controlPlane.close();
  }

  private static ProbedPath.Builder path(String from, String to, PathState state, int proven) {
    return ProbedPath.newBuilder()
        .setFrom("dpus/" + from)
        .setTo("dpus/" + to)
        .setPath(
            UnderlayPath.newBuilder()
                .setPeer("dpus/" + to)
                .setState(state)
                .setWantedBytes(1_500)
                .setProvenBytes(proven)
                .setLostBytes(proven == 1_500 ? 0 : proven + 1));
  }

  private static ProbedPath.Builder proven(String from, String to) {
    return path(from, to, PathState.PATH_STATE_PROVEN, 1_500);
  }

  private static TunnelTest.Builder test(TunnelTestKind kind, int arrived, int damaged) {
    return TunnelTest.newBuilder()
        .setNetwork("tenants/acme/networks/blue")
        .setKind(kind)
        .setInnerBytes(1_450)
        .setSentCount(8)
        .setArrivedCount(arrived)
        .setDamagedCount(damaged);
  }

  @Test
  void bothDirectionsAndTheTunnelsAreRows() {
    answer.addPaths(
        proven("dpu1", "dpu2")
            .addTunnelTests(test(TunnelTestKind.TUNNEL_TEST_KIND_UDP_IPV4, 8, 0)));
    answer.addPaths(proven("dpu2", "dpu1"));
    CliFixture.Result result = cli.run("mtu", "probe", "dpu1", "dpu2", "--network", "acme/blue");
    assertThat(result.out())
        .containsPattern("dpu1 +dpu2 +1500 +1500 +proven +-\n")
        .containsPattern("dpu2 +dpu1 +1500 +1500 +proven +-\n")
        .containsPattern("dpu1 +dpu2 +acme/blue +UDP over IPv4 +1450 +8 +8 +0 +ok\n");
    assertThat(result.code()).isZero();
    assertThat(cli.controlPlane.paths.asked)
        .containsExactly(
            ProbePathRequest.newBuilder()
                .setFrom("dpus/dpu1")
                .setTo("dpus/dpu2")
                .setNetwork("tenants/acme/networks/blue")
                .build());
    assertThat(cli.run("mtu", "probe", "dpu1", "dpu2", "-o", "json").out())
        .contains("\"tunnel_tests\"");
  }

  @Test
  void aBlackHoleIsNamedWithItsHop() {
    ProbedPath.Builder path = path("dpu1", "dpu2", PathState.PATH_STATE_BLACK_HOLE, 1_400);
    path.getPathBuilder()
        .setHop(PathHop.newBuilder().setDistance(1).setAddress("192.0.2.1").setMtuBytes(1_400));
    answer.addPaths(path).addPaths(proven("dpu2", "dpu1"));
    CliFixture.Result result = cli.run("mtu", "probe", "dpu1", "dpu2");
    assertThat(result.out())
        .containsPattern("dpu1 +dpu2 +1400 +1500 +black hole +at 192.0.2.1, hop 1, says 1400\n")
        .contains(
            "dpu1 -> dpu2: 1400 arrives, 1401 vanishes; its networks need 1500; at 192.0.2.1");
    assertThat(result.code()).isEqualTo(10);
  }

  @Test
  void aTunnelThatLosesWhatPlainProbesCarryIsAFailure() {
    answer.addPaths(
        proven("dpu1", "dpu2")
            .addTunnelTests(test(TunnelTestKind.TUNNEL_TEST_KIND_UDP_IPV4, 8, 0))
            .addTunnelTests(test(TunnelTestKind.TUNNEL_TEST_KIND_TCP_IPV4, 2, 1)));
    answer.addPaths(proven("dpu2", "dpu1"));
    CliFixture.Result result = cli.run("mtu", "probe", "dpu1", "dpu2");
    assertThat(result.out())
        .contains(
            "dpu1 -> dpu2: TCP over IPv4 of acme/blue: of 8 packets of 1450 bytes through the"
                + " tunnel 5 are lost, 1 damaged, while plain packets of the same size on the"
                + " underlay arrive\n");
    assertThat(result.code()).isEqualTo(10);
  }

  @Test
  void whatWasNotMeasuredIsNotWell() {
    answer.addPaths(proven("dpu1", "dpu2"));
    answer.addPaths(
        ProbedPath.newBuilder()
            .setFrom("dpus/dpu2")
            .setTo("dpus/dpu1")
            .setUnavailable("dpus/dpu2 is not connected"));
    CliFixture.Result result = cli.run("mtu", "probe", "dpu1", "dpu2");
    assertThat(result.out())
        .containsPattern("dpu2 +dpu1 +- +- +not measured +-\n")
        .contains("dpu2 -> dpu1: dpus/dpu2 is not connected\n");
    assertThat(result.code()).isEqualTo(6);
  }

  @Test
  void twoDpusAreNeeded() {
    assertThat(cli.run("mtu", "probe", "dpu1").code()).isEqualTo(2);
    assertThat(cli.run("mtu", "probe", "dpu1", "Dpu 2").code()).isEqualTo(2);
  }
}
