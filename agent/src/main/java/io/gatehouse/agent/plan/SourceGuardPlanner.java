package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.plan.pipeline.Priorities.TRUE_NEIGHBOUR;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.security.AddressPair;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lets a host speak with its own addresses and those of its address pairs only: MAC, ARP sender,
 * IPv4 and IPv6 source, neighbour discovery sender and target. What is not let through here meets
 * the end of the table and is gone.
 */
final class SourceGuardPlanner {
  private static final Action PASS = Actions.resubmit(SERVICES.number());

  private SourceGuardPlanner() {}

  static void plan(FlowList flows, LocalPortPolicy port, int openFlowPort) {
    Host host = new Host(flows, openFlowPort);
    Sources own = new Sources(port.mac());
    port.addresses().forEach(address -> own.prefixes.add(only(address)));
    Map<MacAddress, Sources> sources = new TreeMap<>(Map.of(port.mac(), own));
    for (AddressPair pair : port.security().allowedPairs()) {
      sources
          .computeIfAbsent(pair.mac().orElse(port.mac()), Sources::new)
          .prefixes
          .add(pair.addresses());
    }
    if (sources.values().stream().anyMatch(Sources::hasV6)) {
      // No IPv6 address, no IPv6: not even link-local.
      own.prefixes.add(only(port.mac().linkLocal()));
    }
    sources.values().forEach(host::allow);
  }

  private static Cidr only(IpAddress address) {
    return new Cidr(address, address.family().bits());
  }

  /** What may be said with one MAC address. */
  private static final class Sources {
    private final MacAddress mac;
    private final Set<Cidr> prefixes = new LinkedHashSet<>();

    Sources(MacAddress mac) {
      this.mac = mac;
    }

    boolean hasV4() {
      return prefixes.stream().anyMatch(prefix -> prefix.address().isV4());
    }

    boolean hasV6() {
      return prefixes.stream().anyMatch(prefix -> prefix.address().isV6());
    }

    Match.Builder send(int etherType) {
      return Match.builder().ethSrc(mac).ethType(etherType);
    }

    Match.Builder discover(int type) {
      return send(Protocols.IPV6).ipProto(Protocols.ICMPV6).icmpType(type);
    }
  }

  /** Writes the flows of one port. */
  private record Host(FlowList flows, int openFlowPort) {
    void pass(int priority, Match.Builder match) {
      flows.add(SOURCE_GUARD, priority, match.inPort(openFlowPort), PASS);
    }

    void allow(Sources sources) {
      for (Cidr prefix : sources.prefixes) {
        if (prefix.address().isV4()) {
          ipv4(sources, prefix);
        } else {
          ipv6(sources, prefix);
        }
      }
      if (sources.hasV4()) {
        arpProbe(sources);
      }
    }

    private void ipv4(Sources sources, Cidr prefix) {
      pass(MATCH, sources.send(Protocols.IPV4).ipSrc(prefix));
      pass(MATCH, sources.send(Protocols.ARP).arpSha(sources.mac).prefix(Field.ARP_SPA, prefix));
    }

    /** "Does anybody have this address?", asked before using it (RFC 5227 §2.1.1). */
    private void arpProbe(Sources sources) {
      pass(
          MATCH,
          sources
              .send(Protocols.ARP)
              .arpSha(sources.mac)
              .arpOp(Protocols.ARP_REQUEST)
              .arpSpa(IpAddress.V4_UNSPECIFIED));
    }

    private void ipv6(Sources sources, Cidr prefix) {
      pass(MATCH, sources.send(Protocols.IPV6).ipSrc(prefix));
      for (MacAddress option : List.of(sources.mac, MacAddress.ZERO)) {
        // A zero stands for a packet without the option.
        pass(
            TRUE_NEIGHBOUR,
            sources.discover(Protocols.NEIGHBOUR_SOLICITATION).ipSrc(prefix).ndSll(option));
        pass(
            TRUE_NEIGHBOUR,
            sources
                .discover(Protocols.NEIGHBOUR_ADVERTISEMENT)
                .ipSrc(prefix)
                .prefix(Field.ND_TARGET, prefix)
                .ndTll(option));
      }
      // Duplicate address detection (RFC 4862 §5.4): from nobody, for an address of its own.
      pass(
          TRUE_NEIGHBOUR,
          sources
              .discover(Protocols.NEIGHBOUR_SOLICITATION)
              .ipSrc(IpAddress.V6_UNSPECIFIED)
              .prefix(Field.ND_TARGET, prefix));
    }
  }
}
