package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.PathHop;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.UnderlayPath;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gatehouse mtu map}, up to what a script sees. */
class MtuMapTest {
  @TempDir java.nio.file.Path directory;
  private CliFixture cli;
  private List<DpuPaths> dpus;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    dpus = cli.controlPlane.paths.dpus;
  }

  @AfterEach
  void stop() {
    cli.controlPlane.close();
  }

  private static UnderlayPath.Builder path(String peer, PathState state, int proven, int lost) {
    return UnderlayPath.newBuilder()
        .setPeer("dpus/" + peer)
        .setState(state)
        .setWantedBytes(1_500)
        .setProvenBytes(proven)
        .setLostBytes(lost);
  }

  private static DpuPaths.Builder dpu(String name, UnderlayPath.Builder... paths) {
    DpuPaths.Builder dpu = DpuPaths.newBuilder().setDpu("dpus/" + name).setConnected(true);
    List.of(paths).forEach(dpu::addPaths);
    return dpu;
  }

  @Test
  void eachPathIsACellAndEachProblemASentence() {
    dpus.add(
        dpu(
                "dpu1",
                path("dpu2", PathState.PATH_STATE_BLACK_HOLE, 1_400, 1_401),
                path("dpu3", PathState.PATH_STATE_UNREACHABLE, 0, 0))
            .build());
    dpus.add(
        dpu("dpu2", path("dpu1", PathState.PATH_STATE_PROVEN, 1_500, 0))
            .setConnected(false)
            .build());
    CliFixture.Result result = cli.run("mtu", "map");
    assertThat(result.out())
        .containsPattern("FROM . TO +dpu1 +dpu2 +dpu3\n")
        .containsPattern("dpu1 +\\. +1400! +none!\n")
        .containsPattern("dpu2 +1500\\* +\\. +\\.\n")
        .contains("dpu1 -> dpu2: 1400 arrives, 1401 vanishes; its networks need 1500")
        .contains("dpu1 -> dpu3: nothing arrives, of any size; its networks need 1500");
    assertThat(result.code()).as("a script sees that something is wrong").isEqualTo(10);
    assertThat(cli.run("mtu", "map", "--dpu", "dpu2").code()).isZero();
  }

  @Test
  void theHopIsNamedAsFarAsItIsKnown() {
    PathHop.Builder says =
        PathHop.newBuilder().setDistance(1).setAddress("192.0.2.1").setMtuBytes(1_400);
    PathHop.Builder silent = PathHop.newBuilder().setDistance(2).setAddress("192.0.2.9");
    PathHop.Builder own = PathHop.newBuilder().setAddress("172.31.1.2").setMtuBytes(1_400);
    PathHop.Builder none = PathHop.newBuilder().setUnknown("no hop answers");
    dpus.add(
        dpu(
                "dpu1",
                path("a", PathState.PATH_STATE_BLACK_HOLE, 1_400, 1_401).setHop(says),
                path("b", PathState.PATH_STATE_BLACK_HOLE, 1_400, 1_401).setHop(silent),
                path("c", PathState.PATH_STATE_BLACK_HOLE, 1_400, 1_401).setHop(own),
                path("d", PathState.PATH_STATE_BLACK_HOLE, 1_400, 1_401).setHop(none))
            .build());
    assertThat(cli.run("mtu", "map").out())
        .contains(
            "dpu1 -> a: 1400 arrives, 1401 vanishes; its networks need 1500;"
                + " at 192.0.2.1, hop 1, says 1400\n")
        .contains("; behind 192.0.2.9, hop 2\n")
        .contains("; at the DPU itself, 172.31.1.2, says 1400\n")
        .contains("; hop unknown: no hop answers\n");
  }

  @Test
  void aFleetThatIsWholeIsALineAndOneThatIsNotShowsOnlyWhatIsWrong() {
    for (int i = 0; i < 20; i++) {
      dpus.add(
          dpu("d" + i, path("d" + (i + 1) % 20, PathState.PATH_STATE_PROVEN, 1_500, 0)).build());
    }
    assertThat(cli.run("mtu", "map").out()).isEqualTo("All paths of 20 DPUs are proven.\n");
    dpus.set(3, dpu("d3", path("d4", PathState.PATH_STATE_BLACK_HOLE, 1_400, 1_401)).build());
    assertThat(cli.run("mtu", "map").out())
        .containsPattern("FROM . TO +d3 +d4\n")
        .doesNotContain("d7");
  }

  @Test
  void aPageIsWholeInItselfAndNothingInItIsMarkup() throws IOException {
    dpus.add(dpu("dpu1", path("dpu2", PathState.PATH_STATE_PROVEN, 1_500, 0)).build());
    java.nio.file.Path page = directory.resolve("map.html");
    assertThat(cli.run("mtu", "map", "--html", page.toString()).code()).isZero();
    assertThat(Files.readString(page))
        .contains("<td class=\"proven\">1500</td>", "<th>dpu2</th>")
        .contains("2 DPUs at 2026-08-01T10:03:00Z")
        .doesNotContain("http:", "src=", "<script");
    CliFixture.Result nowhere =
        cli.run("mtu", "map", "--html", directory.resolve("no/map.html").toString());
    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.err()).contains("--html");
  }

  @Test
  void nothingMeasuredIsSaid() {
    assertThat(cli.run("mtu", "map").out()).contains("no path to measure");
    assertThat(cli.run("mtu", "map", "-o", "json").out()).isEqualTo("[]\n");
  }
}
