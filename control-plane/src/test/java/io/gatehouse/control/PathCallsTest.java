package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.GetDpuRequest;
import io.gatehouse.proto.v1.ListPathsRequest;
import io.gatehouse.proto.v1.ListPathsResponse;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.ProbePathRequest;
import io.gatehouse.proto.v1.ProbePathResponse;
import io.gatehouse.proto.v1.ProbedPath;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.UnderlayPath;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a control plane on SQLite is told of paths, over TLS on loopback, by fake agents. */
final class PathCallsTest {
  @TempDir Path directory = Path.of("");

  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel operator;

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    controlPlane = TestControlPlane.start(url(), pki.server());
    operator = controlPlane.channel(pki.operator("admin"));
    createDpu(operator, "d1", "172.31.0.1");
    createDpu(operator, "d2", "172.31.0.2");
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void pathsAreListedInPagesThatHaveABound() {
    PathReport report =
        PathReport.newBuilder()
            .addPaths(
                UnderlayPath.newBuilder()
                    .setPeer("dpus/d3")
                    .setState(PathState.PATH_STATE_PROVEN)
                    .setWantedBytes(1_500)
                    .setProvenBytes(1_500))
            .build();
    for (String dpu : List.of("d1", "d2")) {
      agent(dpu).send(SyncRequest.newBuilder().setPathReport(report).build());
    }
    PathServiceGrpc.PathServiceBlockingStub paths = PathServiceGrpc.newBlockingStub(operator);
    ListPathsRequest one = ListPathsRequest.newBuilder().setParent("dpus/-").setPageSize(1).build();
    ListPathsRequest most = one.toBuilder().setPageSize(100).build();
    Eventually.holds("both are known", () -> paths.listPaths(most).getDpusCount() == 2);

    ListPathsResponse first = paths.listPaths(one);
    assertThat(first.getDpusList()).extracting(DpuPaths::getDpu).containsExactly("dpus/d1");
    ListPathsResponse second =
        paths.listPaths(one.toBuilder().setPageToken(first.getNextPageToken()).build());
    assertThat(second.getDpusList()).extracting(DpuPaths::getDpu).containsExactly("dpus/d2");
    assertThat(second.getNextPageToken()).isEmpty();
    for (int outside : new int[] {-1, 101}) {
      ListPathsRequest refused = one.toBuilder().setPageSize(outside).build();
      Status status = AnyCall.status(() -> paths.listPaths(refused));
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription()).startsWith("page_size");
    }
  }

  @Test
  void whatADpuSaysOfItsPathsIsAnsweredUnderItsNameAndIsNoPartOfItsStatus() {
    GrpcAgent d1 = agent("d1");
    UnderlayPath path =
        UnderlayPath.newBuilder()
            .setPeer("dpus/d2")
            .setState(PathState.PATH_STATE_BLACK_HOLE)
            .setWantedBytes(1_500)
            .setProvenBytes(1_400)
            .setLostBytes(1_401)
            .build();
    d1.send(SyncRequest.newBuilder().setPathReport(PathReport.newBuilder().addPaths(path)).build());
    PathServiceGrpc.PathServiceBlockingStub paths = PathServiceGrpc.newBlockingStub(operator);
    ListPathsRequest all = ListPathsRequest.newBuilder().setParent("dpus/-").build();
    Eventually.holds("it is known", () -> paths.listPaths(all).getDpusCount() == 1);
    assertThat(paths.listPaths(all).getDpus(0))
        .isEqualTo(
            DpuPaths.newBuilder().setDpu("dpus/d1").setConnected(true).addPaths(path).build());
    assertThat(
            paths
                .listPaths(ListPathsRequest.newBuilder().setParent("dpus/d2").build())
                .getDpusList())
        .isEmpty();
    assertThat(
            AnyCall.status(
                () ->
                    paths.listPaths(ListPathsRequest.newBuilder().setParent("dpus/none").build())))
        .extracting(Status::getCode)
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(
            DpuServiceGrpc.newBlockingStub(operator)
                .getDpu(GetDpuRequest.newBuilder().setName("dpus/d1").build())
                .getDpu()
                .getStatus()
                .hasPathReport())
        .isFalse();
  }

  @Test
  void aPathIsMeasuredByTheDpusThatAreConnected() {
    agent("d1");
    PathServiceGrpc.PathServiceBlockingStub paths = PathServiceGrpc.newBlockingStub(operator);
    ProbePathRequest request =
        ProbePathRequest.newBuilder().setFrom("dpus/d1").setTo("dpus/d2").build();
    Eventually.holds("it is connected", () -> paths.probePath(request).getPaths(0).hasPath());
    ProbePathResponse response = paths.probePath(request);
    assertThat(response.getPathsCount()).isEqualTo(2);
    ProbedPath there = response.getPaths(0);
    assertThat(there.getFrom() + " to " + there.getTo()).isEqualTo("dpus/d1 to dpus/d2");
    assertThat(there.getPath().getPeer()).isEqualTo("dpus/d2");
    assertThat(there.getPath().getState()).isEqualTo(PathState.PATH_STATE_PROVEN);
    ProbedPath back = response.getPaths(1);
    assertThat(back.hasPath()).isFalse();
    assertThat(back.getUnavailable()).isEqualTo("dpus/d2 is not connected");
    assertThat(code(() -> paths.probePath(request.toBuilder().setTo("dpus/none").build())))
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(
            code(
                () ->
                    paths.probePath(
                        request.toBuilder().setNetwork("tenants/no/networks/no").build())))
        .isEqualTo(Status.Code.NOT_FOUND);
    for (String to : new String[] {"dpus/d1", "d2", ""}) {
      assertThat(code(() -> paths.probePath(request.toBuilder().setTo(to).build())))
          .as(to)
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }

  private static Status.Code code(Runnable call) {
    return AnyCall.status(call).getCode();
  }

  private GrpcAgent agent(String dpu) {
    GrpcAgent agent = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
    agent.connect(controlPlane.channel(pki.dpu(dpu)));
    return agent;
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("journal.db");
  }
}
