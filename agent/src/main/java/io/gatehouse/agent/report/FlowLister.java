package io.gatehouse.agent.report;

import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowEntry;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.proto.v1.InstalledFlow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Lists flows as the switch has them now, each with the resource that it serves. */
public final class FlowLister {
  private static final Comparator<FlowEntry> PIPELINE_ORDER =
      Comparator.comparing(
          FlowEntry::flow,
          Comparator.comparingInt(Flow::table)
              .thenComparing(Comparator.comparingInt(Flow::priority).reversed())
              .thenComparing(flow -> flow.match().toString()));

  private final OpenFlowClient client;
  private final Supplier<Optional<Plan>> plan;

  /**
   * Makes a lister.
   *
   * @param plan the newest plan: says whose a cookie is
   */
  public FlowLister(OpenFlowClient client, Supplier<Optional<Plan>> plan) {
    this.client = client;
    this.plan = plan;
  }

  /** All flows, in pipeline order. */
  public CompletableFuture<List<InstalledFlow>> list() {
    return list(FlowFilter.ALL);
  }

  /** The flows of one table. */
  public CompletableFuture<List<InstalledFlow>> list(int table) {
    return list(FlowFilter.ALL.inTable(table));
  }

  /** The flows that serve one resource. */
  public CompletableFuture<List<InstalledFlow>> listOf(String owner) {
    return list(FlowFilter.ofCookie(Cookies.of(owner)));
  }

  private CompletableFuture<List<InstalledFlow>> list(FlowFilter filter) {
    return client.dumpFlows(filter).thenApply(this::describe);
  }

  private List<InstalledFlow> describe(FlowDump dump) {
    Optional<Plan> newest = plan.get();
    return dump.entries().stream()
        .sorted(PIPELINE_ORDER)
        .map(entry -> describe(entry, newest))
        .toList();
  }

  private static InstalledFlow describe(FlowEntry entry, Optional<Plan> plan) {
    Flow flow = entry.flow();
    String owner =
        plan.map(newest -> newest.flows().fragments().get(flow.cookie()))
            .map(Fragment::owner)
            .orElse("");
    return InstalledFlow.newBuilder()
        .setTable(flow.table())
        .setTableName(PipelineTable.of(flow.table()).map(PipelineTable::name).orElse(""))
        .setFlow(flow.toString())
        .setOwner(owner)
        .setPackets(entry.counters().packets())
        .setBytes(entry.counters().bytes())
        .build();
  }
}
