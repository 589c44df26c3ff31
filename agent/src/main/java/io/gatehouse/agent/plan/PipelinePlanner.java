package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.DEFAULT;
import static io.gatehouse.agent.plan.pipeline.Priorities.DOUBLE_TAG;
import static io.gatehouse.agent.plan.pipeline.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.pipeline.Priorities.FORBIDDEN;
import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.plan.pipeline.Priorities.ODD_FRAME;
import static io.gatehouse.agent.plan.pipeline.Priorities.REST_OF_KIND;
import static io.gatehouse.agent.state.PipelineTable.ADVERTISE;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.EGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.MTU;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;
import static io.gatehouse.agent.state.PipelineTable.OVERSIZE;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.MacAddress;
import java.util.List;
import java.util.OptionalInt;

/** The flows that are there whatever the policy: how each table ends, and what nobody may send. */
final class PipelinePlanner {
  static final String OWNER = "pipeline";

  /** Bridges and switches talk with these (IEEE 802.1Q table 8-1): STP, LLDP, pause, 802.1X. */
  private static final MacAddress CONTROL = MacAddress.parse("01:80:c2:00:00:00");

  private static final MacAddress CONTROL_MASK = MacAddress.parse("ff:ff:ff:ff:ff:f0");

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
    oddFrames(flows);
    flows.add(SOURCE_GUARD, FORBIDDEN, icmp6(Protocols.ROUTER_ADVERTISEMENT));
    flows.add(SOURCE_GUARD, FORBIDDEN, icmp6(Protocols.REDIRECT));
    flows.add(SOURCE_GUARD, FORBIDDEN, udp(Protocols.IPV4).udpSrc(Protocols.DHCPV4_SERVER_PORT));
    flows.add(SOURCE_GUARD, FORBIDDEN, udp(Protocols.IPV6).udpSrc(Protocols.DHCPV6_SERVER_PORT));
    flows.add(SOURCE_GUARD, EXCEPTION, icmp6(Protocols.NEIGHBOUR_SOLICITATION));
    flows.add(SOURCE_GUARD, EXCEPTION, icmp6(Protocols.NEIGHBOUR_ADVERTISEMENT));
  }

  /** Frames of a form that is dropped whatever they carry; each reason has a counter. */
  private static void oddFrames(FlowList flows) {
    for (int inner : List.of(Protocols.VLAN, Protocols.PROVIDER_VLAN)) {
      flows.add(SOURCE_GUARD, DOUBLE_TAG, tagged().ethType(inner));
    }
    flows.add(SOURCE_GUARD, ODD_FRAME, tagged());
    flows.add(SOURCE_GUARD, ODD_FRAME, Match.builder().ethDst(CONTROL, CONTROL_MASK));
    for (int family : List.of(Protocols.IPV4, Protocols.IPV6)) {
      flows.add(SOURCE_GUARD, ODD_FRAME, Match.builder().ethType(family).ipFrag(1, 1));
    }
    // The switch looks for the payload behind these: as the payload itself they are cut or odd.
    for (int header : Protocols.EXTENSION_HEADERS) {
      flows.add(SOURCE_GUARD, ODD_FRAME, Match.builder().ethType(Protocols.IPV6).ipProto(header));
    }
  }

  private static Match.Builder tagged() {
    return Match.builder().vlanTci(Protocols.VLAN_PRESENT, Protocols.VLAN_PRESENT);
  }

  private static void ends(FlowList flows) {
    flows.add(CLASSIFY, DEFAULT, Match.builder());
    for (int spoofed : List.of(Protocols.IPV4, Protocols.ARP, Protocols.IPV6)) {
      flows.add(SOURCE_GUARD, REST_OF_KIND, Match.builder().ethType(spoofed));
    }
    flows.add(SOURCE_GUARD, DEFAULT, Match.builder());
    // Who is not known to the policy is not there: nobody is asked.
    flows.add(SERVICES, REST_OF_KIND, NeighbourPlanner.anyArpRequest());
    flows.add(SERVICES, REST_OF_KIND, icmp6(Protocols.NEIGHBOUR_SOLICITATION));
    flows.add(SERVICES, DEFAULT, Match.builder(), Actions.resubmit(EGRESS_CT.number()));
    SecurityPlanner.ends(flows);
    PeeringPlanner.ends(flows);
    NeighbourPlanner.completeAdvertisements(flows);
    flows.add(ADVERTISE, DEFAULT, Match.builder());
    flows.add(FORWARD, DEFAULT, Match.builder());
    oversize(flows);
    flows.add(OUTPUT, DEFAULT, Match.builder());
  }

  /** How the check of the size ends. */
  private static void oversize(FlowList flows) {
    // The underlay has carried these. To drop them would help nobody, and hurt while an MTU
    // changes.
    flows.add(
        MTU,
        MATCH,
        Match.builder().reg(Registers.ORIGIN, Registers.FROM_TUNNEL),
        Actions.resubmit(INGRESS_CT.number()));
    flows.add(MTU, DEFAULT, Match.builder());
    flows.add(OVERSIZE, MATCH, fits(), Actions.resubmit(INGRESS_CT.number()));
    // Before a list only the question is asked: its copies are made whatever the answer is.
    flows.add(OVERSIZE, EXCEPTION, fits().reg(Registers.OUTPUT, 0));
    flows.add(OVERSIZE, DEFAULT, Match.builder());
  }

  private static Match.Builder fits() {
    return Match.builder().reg(Registers.MTU, 0, Registers.TOO_LARGE);
  }

  private static void tunnelOutput(FlowList flows, int tunnelPort) {
    flows.add(
        OVERSIZE,
        EXCEPTION,
        fits().reg(Registers.OUTPUT, tunnelPort),
        Actions.resubmit(OUTPUT.number()));
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
