package io.gatehouse.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.OpenFlowConfig;
import io.gatehouse.agent.device.openflow.OpenFlowListener;
import io.gatehouse.agent.device.openflow.codec.FlowChange;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Health.Component;
import io.gatehouse.agent.state.Health.Part;
import io.gatehouse.agent.state.Health.State;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.ExplainLocalPortRequest;
import io.gatehouse.proto.v1.GetAgentStatusRequest;
import io.gatehouse.proto.v1.GetAgentStatusResponse;
import io.gatehouse.proto.v1.ListFlowsRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The agent's own service, while there is no switch to ask. */
final class LocalServiceTest {
  private static final Health HEALTH =
      new Health(
          7,
          6,
          List.of(Problem.rejected("tenants/a", "no such function")),
          List.of(new Component(Part.OPENFLOW, State.FAILED, "no connection")),
          List.of("bridge br-x"),
          Map.of(0, 3, 10, 4),
          1_500,
          0);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private LocalService service;

  /** Nothing is heard from a client that was not started. */
  private static final class Silence implements OpenFlowListener {
    @Override
    public void connected(long datapathId) {
      throw new AssertionError("connected");
    }

    @Override
    public void disconnected(DeviceException cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void flowsChanged(List<FlowChange> changes) {
      throw new AssertionError("flows");
    }

    @Override
    public void flowsUnknown() {
      throw new AssertionError("flows");
    }

    @Override
    public void portChanged(PortDescription.Reason reason, PortDescription port) {
      throw new AssertionError("port");
    }
  }

  /** Takes exactly one answer, or an error. */
  private static final class Answer<T> implements StreamObserver<T> {
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private Optional<T> value = Optional.empty();

    @Override
    public void onNext(T answer) {
      if (value.isPresent()) {
        throw new IllegalStateException("a second answer");
      }
      value = Optional.of(answer);
    }

    @Override
    public void onError(Throwable error) {
      if (!done.completeExceptionally(error)) {
        throw new IllegalStateException("ended already");
      }
    }

    @Override
    public void onCompleted() {
      if (!done.complete(value.orElseThrow())) {
        throw new IllegalStateException("ended already");
      }
    }

    private Status status() throws InterruptedException {
      return done.handle((answer, failure) -> Status.fromThrowable(failure))
          .orTimeout(60, TimeUnit.SECONDS)
          .join();
    }
  }

  @BeforeEach
  void make() {
    OpenFlowClient away =
        new OpenFlowClient(
            OpenFlowConfig.ofBridge(Path.of("/nonexistent"), "gh-int"),
            loops,
            (delay, task) -> {},
            () -> 0,
            new Silence());
    FlowLister flows = new FlowLister(away, Optional::empty);
    PortExplainer.View view =
        new PortExplainer.View(
            Optional.empty(),
            Map.of(),
            List.of(),
            HEALTH.appliedRevision(),
            port -> Optional.empty(),
            Policy.NONE);
    service =
        new LocalService(
            () -> LocalService.status(HEALTH).build(),
            flows,
            new PortExplainer(flows, new MeterLister(away), () -> view),
            new ProofDesk(new DpuName("d1"), ports -> new CompletableFuture<>()));
  }

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  void theStatusIsWhatHealthTells() {
    Answer<GetAgentStatusResponse> answer = new Answer<>();
    service.getAgentStatus(GetAgentStatusRequest.getDefaultInstance(), answer);
    GetAgentStatusResponse status = answer.done.join();
    assertThat(status.getHeldRevision()).isEqualTo(7);
    assertThat(status.getAppliedRevision()).isEqualTo(6);
    assertThat(status.getFlowCount()).isEqualTo(7);
    assertThat(status.getForeignObjectsList()).containsExactly("bridge br-x");
    assertThat(status.getProblemsList()).hasSize(1);
    assertThat(status.getComponentsList()).hasSize(1);
  }

  @Test
  void withoutASwitchQuestionsAboutItAreAnsweredUnavailableWithTheReason() throws Exception {
    Answer<io.gatehouse.proto.v1.ListFlowsResponse> all = new Answer<>();
    service.listFlows(ListFlowsRequest.getDefaultInstance(), all);
    unavailable(all.status());
    Answer<io.gatehouse.proto.v1.ListFlowsResponse> one = new Answer<>();
    service.listFlows(ListFlowsRequest.newBuilder().setTable(10).build(), one);
    unavailable(one.status());
    Answer<io.gatehouse.proto.v1.ExplainLocalPortResponse> port = new Answer<>();
    service.explainLocalPort(
        ExplainLocalPortRequest.newBuilder().setPort("tenants/a/networks/n/ports/p").build(), port);
    unavailable(port.status());
  }

  private static void unavailable(Status status) {
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).contains("connect");
  }
}
