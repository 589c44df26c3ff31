package io.gatehouse.agent;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.sysfs.BootId;
import io.gatehouse.agent.device.sysfs.DpuFunction;
import io.gatehouse.agent.report.PathDesk;
import io.gatehouse.agent.report.PortExplainer;
import io.gatehouse.agent.report.ProofDesk;
import io.gatehouse.agent.subscribe.ControlPlane;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationQuery;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.runtime.BuildVersion;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The way to the control plane, and how this agent introduces itself there. */
final class ControlPlaneConnection implements ControlPlane {
  private static final int MAX_FUNCTIONS = 1_024;
  private static final int MAX_SPREAD_SECONDS = 86_400;

  private final AgentConfig config;
  private final ControlPlaneChannels channels;
  private final Supplier<List<DpuFunction>> functions;
  private final Answers answers;
  private final Consumer<Duration> renewal;
  private final UUID bootId;

  /**
   * Connects nothing yet.
   *
   * @param renewal told within what time the control plane wants the certificate renewed
   */
  ControlPlaneConnection(
      AgentConfig config,
      ControlPlaneChannels channels,
      Supplier<List<DpuFunction>> functions,
      Answers answers,
      Consumer<Duration> renewal)
      throws DeviceException {
    this.config = config;
    this.channels = channels;
    this.functions = functions;
    this.answers = answers;
    this.renewal = renewal;
    this.bootId = BootId.read(BootId.DEFAULT_FILE);
  }

  @Override
  public ManagedChannel connect() throws IOException {
    return channels.connect();
  }

  @Override
  public Hello.Builder introduction() {
    return Hello.newBuilder()
        .setAgentVersion(BuildVersion.current())
        .setBootId(bootId.toString())
        .setVtepAddress(config.site().vtep().toString())
        .setUnderlayMtuBytes(config.underlayMtuBytes())
        .addAllFunctions(
            functions.get().stream().map(DpuFunction::text).limit(MAX_FUNCTIONS).toList());
  }

  @Override
  public void renewalAsked(RenewalRequest request) {
    int seconds = Math.max(0, Math.min(request.getSpreadSeconds(), MAX_SPREAD_SECONDS));
    renewal.accept(Duration.ofSeconds(seconds));
  }

  /** Who answers what the control plane asks. */
  record Answers(PortExplainer ports, ProofDesk proofs, PathDesk paths) {}

  @Override
  public CompletableFuture<IsolationAnswer> prove(IsolationQuery query) {
    return answers.proofs().answer(query);
  }

  @Override
  public CompletableFuture<PathAnswer> probePath(PathQuery query) {
    return answers.paths().answer(query);
  }

  @Override
  public CompletableFuture<ExplainAnswer> explain(ExplainQuery query) {
    return answers
        .ports()
        .explain(query.getPort())
        .thenApply(
            observation ->
                ExplainAnswer.newBuilder()
                    .setQueryId(query.getQueryId())
                    .setObservation(observation)
                    .build());
  }
}
