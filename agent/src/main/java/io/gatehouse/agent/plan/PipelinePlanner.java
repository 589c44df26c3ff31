package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.Priorities.DEFAULT;
import static io.gatehouse.agent.plan.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.Priorities.FORBIDDEN;
import static io.gatehouse.agent.plan.Priorities.MATCH;
import static io.gatehouse.agent.plan.Priorities.REST_OF_KIND;
import static io.gatehouse.agent.state.PipelineTable.ADVERTISE;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.EGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.planned.Fragment;
import java.util.OptionalInt;

/** The flows that are there whatever the policy: how each table ends, and what nobody may send. */
final class PipelinePlanner {
  static final String OWNER = "pipeline";

  private PipelinePlanner() {}

  /** Everything these flows depend on. */
  record Inputs(OptionalInt tunnelPort) {}

  static Fragment plan(Inputs inputs) {
    FlowList flows = new FlowList(OWNER);
    forbidden(flows);
    ends(flows);
    inputs.tunnelPort().ifPresent(port -> tunnelOutput(flows, port));
    return flows.fragment(inputs);
  }

  /** Router advertisements, redirects and DHCP answers come from the DPU, never from a host. */
  private static void forbidden(FlowList flows) {
    flows.add(SOURCE_GUARD, FORBIDDEN, icmp6(Protocols.ROUTER_ADVERTISEMENT));
    flows.add(SOURCE_GUARD, FORBIDDEN, icmp6(Protocols.REDIRECT));
    flows.add(SOURCE_GUARD, FORBIDDEN, udp(Protocols.IPV4).udpSrc(Protocols.DHCPV4_SERVER_PORT));
    flows.add(SOURCE_GUARD, FORBIDDEN, udp(Protocols.IPV6).udpSrc(Protocols.DHCPV6_SERVER_PORT));
    flows.add(SOURCE_GUARD, EXCEPTION, icmp6(Protocols.NEIGHBOUR_SOLICITATION));
    flows.add(SOURCE_GUARD, EXCEPTION, icmp6(Protocols.NEIGHBOUR_ADVERTISEMENT));
  }

  private static void ends(FlowList flows) {
    flows.add(CLASSIFY, DEFAULT, Match.builder());
    flows.add(SOURCE_GUARD, DEFAULT, Match.builder());
    // Who is not known to the policy is not there: nobody is asked.
    flows.add(
        SERVICES,
        REST_OF_KIND,
        Match.builder().ethType(Protocols.ARP).arpOp(Protocols.ARP_REQUEST));
    flows.add(SERVICES, REST_OF_KIND, icmp6(Protocols.NEIGHBOUR_SOLICITATION));
    flows.add(SERVICES, DEFAULT, Match.builder(), Actions.resubmit(EGRESS_CT.number()));
    SecurityPlanner.ends(flows);
    NeighbourPlanner.completeAdvertisements(flows);
    flows.add(ADVERTISE, DEFAULT, Match.builder());
    flows.add(FORWARD, DEFAULT, Match.builder());
    flows.add(OUTPUT, DEFAULT, Match.builder());
  }

  private static void tunnelOutput(FlowList flows, int tunnelPort) {
    flows.add(
        OUTPUT,
        MATCH,
        Match.builder().reg(Registers.OUTPUT, tunnelPort),
        Actions.move(Field.REG0, 0, Field.TUN_ID, 0, Protocols.VNI_BITS),
        Actions.output(tunnelPort));
  }

  private static Match.Builder icmp6(int type) {
    return Match.builder().ethType(Protocols.IPV6).ipProto(Protocols.ICMPV6).icmpType(type);
  }

  private static Match.Builder udp(int etherType) {
    return Match.builder().ethType(etherType).ipProto(Protocols.UDP);
  }
}
