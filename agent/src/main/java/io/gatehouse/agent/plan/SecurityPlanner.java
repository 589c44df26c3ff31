package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.DEFAULT;
import static io.gatehouse.agent.plan.pipeline.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.plan.pipeline.Priorities.REST_OF_KIND;
import static io.gatehouse.agent.state.PipelineTable.EGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.EGRESS_GROUP;
import static io.gatehouse.agent.state.PipelineTable.EGRESS_RULES;
import static io.gatehouse.agent.state.PipelineTable.EGRESS_VERDICT;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_GROUP;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_RULES;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_VERDICT;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;
import static io.gatehouse.agent.state.PipelineTable.ROUTE;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.CtState;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.plan.security.GroupPlanner;
import io.gatehouse.agent.plan.security.PortGroups;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.planned.ConnectionLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The flows that take what a port with security groups sends and gets through the connection
 * tracker and through its groups. A port without groups has none of them and is not tracked.
 *
 * <p>Every packet is judged, not only the first of a connection: the rules look at how the
 * connection was opened. So a rule that goes away ends the connections that no other rule allows,
 * both ways and with the very bundle that takes it away.
 *
 * <p>The userspace datapath lets a packet pass whose connection it has no room for, and only leaves
 * it without a mark; so the opening packet goes on only with the mark.
 */
final class SecurityPlanner {
  private static final int VALID = CtState.TRACKED | CtState.INVALID;

  /** What a connection that the tracker keeps is marked with, and the packet with it. */
  private static final long KEPT_MARK = 1;

  private static final Action KEPT = Actions.setCtMark(KEPT_MARK);
  private static final Path EGRESS =
      new Path(EGRESS_CT, EGRESS_RULES, EGRESS_GROUP, EGRESS_VERDICT, ROUTE);
  private static final Path INGRESS =
      new Path(INGRESS_CT, INGRESS_RULES, INGRESS_GROUP, INGRESS_VERDICT, OUTPUT);

  private SecurityPlanner() {}

  /**
   * The tables of one direction.
   *
   * @param opened the groups' rules for connections that are opened in this direction
   */
  private record Path(
      PipelineTable tracker,
      PipelineTable rules,
      PipelineTable opened,
      PipelineTable verdict,
      PipelineTable next) {}

  /** Adds the flows of a port; none if it has no groups. */
  static void port(FlowList flows, LocalPortPlanner.Inputs inputs) {
    if (inputs.groups().isEmpty()) {
      return;
    }
    flows.add(
        new ConnectionLimit(inputs.groups().zone(), inputs.port().limits().connectionsAtATime()));
    int openFlowPort = inputs.openFlowPort();
    Supplier<Match.Builder> from = () -> Match.builder().inPort(openFlowPort);
    path(flows, inputs, EGRESS, INGRESS.opened(), from);
    Supplier<Match.Builder> to = () -> Match.builder().reg(Registers.OUTPUT, openFlowPort);
    path(flows, inputs, INGRESS, EGRESS.opened(), to);
  }

  private static void path(
      FlowList flows,
      LocalPortPlanner.Inputs inputs,
      Path path,
      PipelineTable answered,
      Supplier<Match.Builder> port) {
    PortGroups groups = inputs.groups();
    List<Action> opening = new ArrayList<>(PortMeterPlanner.connections(flows, inputs));
    opening.add(Actions.setReg(Registers.VERDICT, Registers.OPENED));
    opening.add(Actions.ctCommitThen(groups.zone(), path.verdict().number(), KEPT));
    for (int family : new int[] {Protocols.IPV4, Protocols.IPV6}) {
      flows.add(
          path.tracker(),
          MATCH,
          port.get().ethType(family),
          Actions.ct(groups.zone(), path.rules().number()));
      flows.add(
          path.verdict(),
          EXCEPTION,
          allowed(port.get()).ethType(family).ctState(CtState.NEW, CtState.NEW),
          opening);
    }
    flows.add(
        path.rules(),
        MATCH,
        port.get().ctState(CtState.TRACKED, VALID | CtState.REPLY),
        calls(groups, path.opened(), path.verdict()));
    // What answers a connection is judged by the rule that the connection was opened under.
    flows.add(
        path.rules(),
        MATCH,
        port.get().ctState(CtState.TRACKED | CtState.REPLY, VALID | CtState.REPLY),
        calls(groups, answered, path.verdict()));
  }

  private static List<Action> calls(PortGroups groups, PipelineTable rules, PipelineTable verdict) {
    List<Action> actions = new ArrayList<>();
    actions.add(Actions.setReg(Registers.VERDICT, 0));
    for (long group : groups.groups()) {
      actions.add(Actions.setMetadata(group));
      actions.add(Actions.resubmit(rules.number()));
    }
    actions.add(Actions.resubmit(verdict.number()));
    return actions;
  }

  /** Adds how these tables end. */
  static void ends(FlowList flows) {
    for (Path path : List.of(EGRESS, INGRESS)) {
      // The source guard has looked at these; the tracker knows no connection in them.
      for (int type = Protocols.ROUTER_SOLICITATION; type <= Protocols.REDIRECT; type++) {
        flows.add(
            path.tracker(),
            EXCEPTION,
            Match.builder().ethType(Protocols.IPV6).ipProto(Protocols.ICMPV6).icmpType(type),
            Actions.resubmit(path.next().number()));
      }
      flows.add(path.tracker(), DEFAULT, Match.builder(), Actions.resubmit(path.next().number()));
      invalid(flows, path);
      flows.add(path.rules(), DEFAULT, Match.builder());
      flows.add(path.opened(), DEFAULT, Match.builder());
      flows.add(
          path.verdict(), MATCH, allowed(Match.builder()), Actions.resubmit(path.next().number()));
      flows.add(
          path.verdict(),
          MATCH,
          Match.builder().reg(Registers.VERDICT, Registers.OPENED).ctMark(KEPT_MARK),
          Actions.resubmit(path.next().number()));
      // The port has as many connections as it may have.
      flows.add(
          path.verdict(), REST_OF_KIND, Match.builder().reg(Registers.VERDICT, Registers.OPENED));
      flows.add(path.verdict(), DEFAULT, Match.builder());
    }
  }

  /**
   * What belongs to no connection and opens none, with counters of its own: an answer to nothing,
   * such as an echo reply that nobody asked for, and who listens to which multicasts. That is told
   * to routers and to switches that forward by it, and there are none.
   */
  private static void invalid(FlowList flows, Path path) {
    for (int type : Protocols.MULTICAST_LISTENERS) {
      flows.add(
          path.rules(),
          EXCEPTION,
          untracked().ethType(Protocols.IPV6).ipProto(Protocols.ICMPV6).icmpType(type));
    }
    flows.add(path.rules(), REST_OF_KIND, untracked());
  }

  private static Match.Builder untracked() {
    return Match.builder().ctState(VALID, VALID);
  }

  private static Match.Builder allowed(Match.Builder match) {
    return match.reg(Registers.VERDICT, GroupPlanner.ALLOWED);
  }
}
