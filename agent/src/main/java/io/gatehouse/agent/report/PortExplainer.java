package io.gatehouse.agent.report;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.planned.PortPlan;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.proto.v1.InstalledFlow;
import io.gatehouse.proto.v1.PortObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Says what runs for one port: device, switch port, flows, and what stands in the way. */
public final class PortExplainer {
  private final FlowLister flows;
  private final MeterLister meters;
  private final Supplier<View> view;

  /**
   * What is known besides the flows.
   *
   * @param plan the newest plan
   * @param openFlowPorts OpenFlow port by device
   * @param lastTold what a port's host was told last, by the port's name
   * @param policy that is to be in force
   */
  public record View(
      Optional<Plan> plan,
      Map<String, Integer> openFlowPorts,
      List<Problem> problems,
      long appliedRevision,
      Function<String, Optional<String>> lastTold,
      Policy policy) {}

  public PortExplainer(FlowLister flows, MeterLister meters, Supplier<View> view) {
    this.flows = flows;
    this.meters = meters;
    this.view = view;
  }

  /**
   * Explains a port.
   *
   * @param port its full name; one that is not here is explained by its absence
   */
  public CompletableFuture<PortObservation> explain(String port) {
    View now = view.get();
    Function<List<InstalledFlow>, PortObservation> describe = found -> describe(port, now, found);
    CompletableFuture<PortObservation> described = flows.listOf(port).thenApply(describe);
    Function<PortObservation, CompletableFuture<PortObservation>> withMeters = this::withMeters;
    return described.thenCompose(withMeters);
  }

  private CompletableFuture<PortObservation> withMeters(PortObservation observation) {
    if (observation.getOpenflowPort() == 0) {
      return CompletableFuture.completedFuture(observation);
    }
    Function<List<String>, PortObservation> add =
        lines -> observation.toBuilder().addAllFlows(lines).build();
    return meters.listOf(observation.getOpenflowPort()).thenApply(add);
  }

  static PortObservation describe(String port, View view, List<InstalledFlow> found) {
    PortObservation.Builder observation =
        PortObservation.newBuilder()
            .setRevision(view.appliedRevision())
            .setHostService(view.lastTold().apply(port).orElse(""));
    Optional<PortPlan> planned =
        view.plan()
            .flatMap(
                plan ->
                    plan.bridge().ports().values().stream()
                        .filter(candidate -> candidate.owner().equals(port))
                        .findFirst());
    planned.ifPresent(
        there -> {
          observation.setDevice(there.device());
          observation.setOpenflowPort(view.openFlowPorts().getOrDefault(there.device(), 0));
        });
    view.policy().localPorts().values().stream()
        .filter(local -> local.key().equals(port))
        .flatMap(local -> notes(local).stream())
        .forEach(note -> observation.addProblems(AckReporter.cut(note)));
    view.problems().stream()
        .filter(problem -> problem.resource().equals(port))
        .forEach(problem -> observation.addProblems(AckReporter.cut(problem.reason())));
    if (planned.isEmpty() && observation.getProblemsCount() == 0 && found.isEmpty()) {
      observation.addProblems("this DPU has no such port, or the port is disabled");
    }
    found.forEach(
        flow ->
            observation.addFlows(
                flow.getFlow()
                    + " ["
                    + flow.getPackets()
                    + " packets, "
                    + flow.getTableName()
                    + "]"));
    return observation.build();
  }

  /** What is to be known of a port that is as its policy says. */
  public static List<String> notes(LocalPortPolicy port) {
    List<String> notes = new ArrayList<>();
    port.quarantine().ifPresent(quarantine -> notes.add(text(quarantine)));
    if (port.limits().limitsConnections() && port.security().groups().isEmpty()) {
      notes.add("its limits of connections count nothing: without security groups none is tracked");
    }
    return notes;
  }

  private static String text(Quarantine quarantine) {
    String reason = "in quarantine: " + quarantine.reason();
    return quarantine.allowed().isEmpty()
        ? reason
        : reason + "; talks only with " + quarantine.allowed();
  }
}
