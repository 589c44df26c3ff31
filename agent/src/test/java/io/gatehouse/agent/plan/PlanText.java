package io.gatehouse.agent.plan;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.planned.Plan;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * A plan as text that {@code ovs-ofctl add-flows} reads: flows in pipeline order, the rest as
 * comments.
 */
final class PlanText {
  private static final Comparator<Flow> ORDER =
      Comparator.comparingInt(Flow::priority)
          .reversed()
          .thenComparing(flow -> flow.match().toString());

  private PlanText() {}

  static String of(Plan plan) {
    StringBuilder text = new StringBuilder();
    comment(text, "revision " + plan.revision());
    comment(text, "datapath " + plan.bridge().datapath().type());
    plan.bridge()
        .ports()
        .values()
        .forEach(
            port ->
                comment(
                    text,
                    "port %s type=%s options=%s for %s%s"
                        .formatted(
                            port.device(),
                            port.type(),
                            new TreeMap<>(port.options()),
                            port.owner(),
                            port.zone()
                                .map(zone -> " zone=" + zone.number() + " of " + zone.uid())
                                .orElse(""))));
    comment(text, "guarded " + plan.kernel().guarded());
    plan.problems().forEach(p -> comment(text, p.kind() + " " + p.resource() + ": " + p.reason()));
    plan.flows().fragments().entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().owner()))
        .forEach(
            entry ->
                comment(
                    text,
                    "cookie 0x"
                        + Long.toHexString(entry.getKey())
                        + " "
                        + entry.getValue().owner()));
    plan.flows().fragments().values().stream()
        .flatMap(fragment -> fragment.meters().stream())
        .sorted(Comparator.comparingInt(RateMeter::id))
        .forEach(meter -> comment(text, meter + " " + MeterKind.of(meter.id()).orElseThrow()));
    plan.flows()
        .limits()
        .values()
        .forEach(it -> comment(text, "zone=" + it.zone() + ",limit=" + it.connections()));
    for (PipelineTable table : PipelineTable.values()) {
      text.append('\n');
      comment(text, table.number() + " " + table);
      flows(plan, table).forEach(flow -> text.append(flow).append('\n'));
    }
    return text.toString();
  }

  static List<Flow> flows(Plan plan, PipelineTable table) {
    return plan.flows().flows().stream()
        .filter(flow -> flow.table() == table.number())
        .sorted(ORDER)
        .toList();
  }

  private static void comment(StringBuilder text, String line) {
    text.append("# ").append(line).append('\n');
  }
}
