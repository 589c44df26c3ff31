package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.QUARANTINE;
import static io.gatehouse.agent.plan.pipeline.Priorities.QUARANTINE_ALLOWED;
import static io.gatehouse.agent.plan.pipeline.Priorities.QUARANTINE_QUESTION;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.security.Quarantine;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Cuts a port off where its packets come in and where packets would go out to it, above all other
 * flows. What is let through to and from the allowed addresses meets everything that it would meet
 * without: source guard, limits, security groups.
 */
final class QuarantinePlanner {
  private QuarantinePlanner() {}

  /**
   * Adds the flows.
   *
   * @param fromHost the actions of CLASSIFY for what the host may send
   */
  static void plan(
      FlowList flows,
      LocalPortPlanner.Inputs inputs,
      Quarantine quarantine,
      List<Action> fromHost) {
    int port = inputs.openFlowPort();
    flows.add(CLASSIFY, QUARANTINE, Match.builder().inPort(port));
    flows.add(OUTPUT, QUARANTINE, Match.builder().reg(Registers.OUTPUT, port));
    for (Cidr allowed : new LinkedHashSet<>(quarantine.allowed())) {
      Match.Builder from = Match.builder().inPort(port).ipDst(allowed);
      flows.add(CLASSIFY, QUARANTINE_ALLOWED, from, fromHost);
      flows.add(CLASSIFY, QUARANTINE_ALLOWED, question(allowed).inPort(port), fromHost);
      Match.Builder to = Match.builder().reg(Registers.OUTPUT, port).ipSrc(allowed);
      flows.add(OUTPUT, QUARANTINE_ALLOWED, to, PortMeterPlanner.apart(inputs));
    }
    if (!quarantine.allowed().isEmpty()) {
      services(flows, inputs, fromHost);
    }
    // A question is answered on the spot or not at all: it is not for others to hear.
    flows.add(SERVICES, QUARANTINE_QUESTION, NeighbourPlanner.anyArpRequest().inPort(port));
    flows.add(SERVICES, QUARANTINE_QUESTION, NeighbourPlanner.anySolicitation().inPort(port));
  }

  /**
   * Whoever may talk needs an address to talk from: the agent answers its host as ever. None of
   * this reaches anybody else.
   */
  private static void services(
      FlowList flows, LocalPortPlanner.Inputs inputs, List<Action> fromHost) {
    int port = inputs.openFlowPort();
    for (Match.Builder asked : HostServicePlanner.questions(inputs.port(), port)) {
      flows.add(CLASSIFY, QUARANTINE_ALLOWED, asked, fromHost);
    }
    inputs.port().addresses().stream()
        .map(address -> address.isV4() ? ServerIdentity.IPV4 : ServerIdentity.LINK_LOCAL)
        .distinct()
        .forEach(
            server ->
                flows.add(
                    CLASSIFY,
                    QUARANTINE_ALLOWED,
                    NeighbourPlanner.request(server).inPort(port),
                    fromHost));
  }

  private static Match.Builder question(Cidr allowed) {
    return allowed.address().isV4()
        ? NeighbourPlanner.anyArpRequest().prefix(Field.ARP_TPA, allowed)
        : NeighbourPlanner.anySolicitation().prefix(Field.ND_TARGET, allowed);
  }
}
