package io.gatehouse.control.fleet;

import io.gatehouse.control.api.StatusSource;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.DpuStatus;
import io.gatehouse.proto.v1.PortState;
import io.gatehouse.proto.v1.PortStatus;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.proto.v1.ResourceState;
import io.gatehouse.wire.TimeWire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Statuses of DPUs and ports from what the agents have reported. */
public final class ReportedStatus implements StatusSource {
  private final DpuStatusStore store;

  public ReportedStatus(DpuStatusStore store) {
    this.store = store;
  }

  @Override
  public PortStatus portStatus(Image image, Port port) {
    DpuState state = store.state(port.dpu());
    PortStatus.Builder status = PortStatus.newBuilder().setRevision(state.applied());
    boolean suspended =
        image.tenant(port.name().network().tenant()).map(Tenant::suspended).orElse(false);
    boolean current = state.applied() >= image.desiredRevision(port.dpu());
    if (state.holder().replica().isEmpty()) {
      return status.setReason(port.dpu() + " has never connected").build();
    }
    if (!current) {
      return pending(status, image, port, state);
    }
    if (!port.enabled() || suspended) {
      String why = suspended ? "the tenant is suspended" : "the port is disabled";
      return status.setState(PortState.PORT_STATE_CLOSED).setReason(why).build();
    }
    return problem(state, port)
        .map(problem -> withProblem(status, problem))
        .orElseGet(() -> status.setState(PortState.PORT_STATE_READY).build());
  }

  @Override
  public DpuStatus dpuStatus(Image image, DpuName dpu) {
    DpuState state = store.state(dpu);
    DpuStatus.Builder status =
        state.reported().toBuilder()
            // Large, and for their own services to show.
            .clearIsolationProof()
            .clearPathReport()
            .clearUnderlay()
            .setConnected(store.isConnected(dpu))
            .setDesiredRevision(image.desiredRevision(dpu))
            .setAppliedRevision(state.applied());
    if (state.lastSeen().isAfter(Instant.EPOCH)) {
      status.setLastSeenTime(TimeWire.toProto(state.lastSeen()));
    }
    image.dpu(dpu).flatMap(known -> wrongVtep(known, state)).ifPresent(status::addProblems);
    return status.build();
  }

  @Override
  public Optional<List<String>> functions(DpuName dpu) {
    DpuState state = store.state(dpu);
    return state.holder().replica().isEmpty()
        ? Optional.empty()
        : Optional.of(state.reported().getFunctionsList());
  }

  private PortStatus pending(PortStatus.Builder status, Image image, Port port, DpuState state) {
    String reason =
        store.isConnected(port.dpu())
            ? port.dpu() + " has not confirmed revision " + image.desiredRevision(port.dpu())
            : port.dpu() + " is not connected; last seen " + state.lastSeen();
    return status.setState(PortState.PORT_STATE_PENDING).setReason(reason).build();
  }

  private static PortStatus withProblem(PortStatus.Builder status, ResourceProblem problem) {
    boolean rejected = problem.getState() == ResourceState.RESOURCE_STATE_REJECTED;
    return status
        .setState(rejected ? PortState.PORT_STATE_REJECTED : PortState.PORT_STATE_PENDING)
        .setReason(problem.getReason())
        .build();
  }

  /** What the DPU says against the port itself, else against its network. */
  private static Optional<ResourceProblem> problem(DpuState state, Port port) {
    return named(state, port.name().toString())
        .or(() -> named(state, port.name().network().toString()));
  }

  private static Optional<ResourceProblem> named(DpuState state, String name) {
    return state.reported().getProblemsList().stream()
        .filter(problem -> problem.getName().equals(name))
        .findFirst();
  }

  /** An agent that is configured with another address than the others are told gets no traffic. */
  private static Optional<ResourceProblem> wrongVtep(Dpu dpu, DpuState state) {
    String registered = dpu.vtepAddress().toString();
    if (state.vtepAddress().isEmpty() || state.vtepAddress().equals(registered)) {
      return Optional.empty();
    }
    return Optional.of(
        ResourceProblem.newBuilder()
            .setName(dpu.name().toString())
            .setState(ResourceState.RESOURCE_STATE_PENDING)
            .setReason(
                "the agent's VTEP address is "
                    + state.vtepAddress()
                    + ", the registered one is "
                    + registered)
            .build());
  }
}
