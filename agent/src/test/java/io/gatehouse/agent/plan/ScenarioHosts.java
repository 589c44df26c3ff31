package io.gatehouse.agent.plan;

import static java.util.Objects.requireNonNull;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.plan.PacketWalker.Delivery;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The hosts of a scenario, told from its policy and facts and not from its flows. */
final class ScenarioHosts {
  private final Scenario scenario;
  private final PacketWalker walker;

  ScenarioHosts(Scenario scenario) {
    this.scenario = scenario;
    this.walker = new PacketWalker(scenario.plan().flows());
  }

  Scenario scenario() {
    return scenario;
  }

  List<Delivery> walk(Packet packet) {
    return walker.walk(packet);
  }

  /** Whether the agent is asked, and nobody else gets the packet. */
  boolean asksAgentOnly(Packet packet) {
    return walker.asksAgentOnly(packet);
  }

  /** Local ports that carry traffic. */
  List<LocalPortPolicy> open() {
    return scenario.policy().localPorts().values().stream()
        .filter(port -> port.enabled() && portOf(port).isPresent())
        .filter(port -> port.quarantine().isEmpty())
        .toList();
  }

  Collection<RemotePortPolicy> remotes() {
    return scenario.policy().remotePorts().values();
  }

  int port(LocalPortPolicy port) {
    return portOf(port).orElseThrow();
  }

  boolean isPortOf(int number, LocalPortPolicy port) {
    return portOf(port).equals(OptionalInt.of(number));
  }

  private OptionalInt portOf(LocalPortPolicy port) {
    String device = scenario.facts().devices().get(port.function());
    return device == null ? OptionalInt.empty() : scenario.facts().openFlowPort(device);
  }

  OptionalInt tunnel() {
    return scenario.facts().tunnelPort();
  }

  int vni(PortName port) {
    return requireNonNull(scenario.policy().networks().get(port.network())).vni().value();
  }

  IpAddress vtep(RemotePortPolicy port) {
    return requireNonNull(scenario.policy().vteps().get(port.dpu())).address();
  }

  Set<MacAddress> allMacs() {
    Set<MacAddress> macs = new TreeSet<>(Set.of(MacAddress.BROADCAST));
    remotes().forEach(port -> macs.add(port.mac()));
    scenario.policy().localPorts().values().forEach(port -> macs.add(port.mac()));
    return macs;
  }

  Packet fromTunnel(RemotePortPolicy from, MacAddress to) {
    return Packet.ip(tunnel().getAsInt(), from.mac(), to, from.addresses().get(0))
        .tunnelled(vni(from.name()), vtep(from));
  }

  /** Who gets a broadcast of a port: ports here, and each other DPU once. */
  Set<String> otherMembers(LocalPortPolicy from) {
    Set<String> members = new TreeSet<>();
    for (LocalPortPolicy port : open()) {
      if (!port.equals(from) && port.name().network().equals(from.name().network())) {
        members.add("port " + port(port));
      }
    }
    for (RemotePortPolicy port : remotes()) {
      if (tunnel().isPresent() && port.name().network().equals(from.name().network())) {
        members.add("tunnel " + vtep(port) + " vni " + vni(port.name()));
      }
    }
    return members;
  }

  String describe(Delivery delivery) {
    if (tunnel().isPresent() && delivery.port() == tunnel().getAsInt()) {
      return "tunnel " + tunnelDestination(delivery) + " vni " + delivery.get(Field.TUN_ID).low();
    }
    return "port " + delivery.port();
  }

  /** As Open vSwitch does: an IPv4 destination wins over an IPv6 one (flow_tnl_dst). */
  static IpAddress tunnelDestination(Delivery delivery) {
    Bits v4 = delivery.get(Field.TUN_DST);
    Bits v6 = delivery.get(Field.TUN_IPV6_DST);
    return v4.isZero() ? IpAddress.ofV6(v6.high(), v6.low()) : IpAddress.ofV4(v4.low());
  }

  /** Addresses of one family in the network of a port that are not its own and can be asked for. */
  List<IpAddress> otherAddresses(LocalPortPolicy from, IpAddress.Family family) {
    List<IpAddress> addresses = new ArrayList<>();
    open().stream()
        .filter(port -> !port.equals(from))
        .filter(port -> port.name().network().equals(from.name().network()))
        .forEach(port -> addresses.addAll(port.addresses()));
    if (tunnel().isPresent()) {
      remotes().stream()
          .filter(port -> port.name().network().equals(from.name().network()))
          .forEach(port -> addresses.addAll(port.addresses()));
    }
    return addresses.stream().filter(address -> address.family() == family).toList();
  }

  MacAddress macOf(LocalPortPolicy asker, IpAddress address) {
    return Stream.concat(
            scenario.policy().localPorts().values().stream()
                .filter(port -> port.name().network().equals(asker.name().network()))
                .filter(port -> port.addresses().contains(address))
                .map(LocalPortPolicy::mac),
            remotes().stream()
                .filter(port -> port.name().network().equals(asker.name().network()))
                .filter(port -> port.addresses().contains(address))
                .map(RemotePortPolicy::mac))
        .findFirst()
        .orElseThrow();
  }

  /** What an answer to a question says. */
  static String answered(Delivery answer) {
    if (answer.get(Field.ETH_TYPE).low() == Protocols.ARP) {
      return IpAddress.ofV4(answer.get(Field.ARP_SPA).low())
          + " is at "
          + new MacAddress(answer.get(Field.ARP_SHA).low());
    }
    Bits target = answer.get(Field.ND_TARGET);
    return IpAddress.ofV6(target.high(), target.low())
        + " is at "
        + new MacAddress(answer.get(Field.ND_TLL).low());
  }

  @Override
  public String toString() {
    return scenario.toString();
  }
}
