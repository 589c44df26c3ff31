package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who is there: the policy's ports that are open on this DPU, with their ports of the switch, and
 * those that are reached through the tunnel. Says also whose port of the switch a packet came to.
 */
public final class Ground {
  private static final int ETHERNET_HEADER_BYTES = 14;

  private final Policy policy;
  private final OptionalInt tunnel;
  private final SortedSet<Integer> switchPorts;
  private final SortedMap<PortName, LocalPortPolicy> locals = new TreeMap<>();
  private final SortedMap<PortName, RemotePortPolicy> remotes = new TreeMap<>();
  private final Map<PortName, Integer> numbers = new HashMap<>();
  private final Map<Integer, Place> byNumber = new HashMap<>();
  private final Map<Integer, NetworkName> byVni = new HashMap<>();
  private final Map<NetworkName, Integer> vnis = new HashMap<>();
  private final Map<IpAddress, Integer> pathLimits;
  private final List<PeeringPolicy> peerings = new ArrayList<>();

  private Ground(Policy policy, Facts facts) {
    this.policy = policy;
    this.tunnel = facts.tunnelPort();
    this.pathLimits = facts.pathLimits();
    this.switchPorts = new TreeSet<>(facts.openFlowPorts().values());
  }

  /**
   * The ground of a policy.
   *
   * @param problems resources that are closed
   */
  public static Ground of(Policy policy, Facts facts, Collection<Problem> problems) {
    Set<String> closed = problems.stream().map(Problem::resource).collect(Collectors.toSet());
    Ground ground = new Ground(policy, facts);
    for (NetworkPolicy network : policy.networks().values()) {
      if (!closed.contains(network.key())) {
        ground.add(network.name(), network.vni());
      }
    }
    policy.peerings().values().stream()
        .filter(peering -> !closed.contains(peering.key()))
        .forEach(ground::add);
    policy.localPorts().values().stream()
        .filter(port -> port.enabled() && !closed.contains(port.key()))
        .forEach(port -> ground.add(port, facts));
    policy.remotePorts().values().stream()
        .filter(port -> !closed.contains(port.key()) && policy.vteps().containsKey(port.dpu()))
        .filter(port -> ground.vnis.containsKey(port.name().network()))
        .forEach(port -> ground.remotes.put(port.name(), port));
    return ground;
  }

  private void add(NetworkName network, Vni vni) {
    byVni.put(vni.value(), network);
    vnis.put(network, vni.value());
  }

  private void add(PeeringPolicy peering) {
    peerings.add(peering);
    add(peering.peer(), peering.peerVni());
  }

  private void add(LocalPortPolicy port, Facts facts) {
    String device = facts.devices().get(port.function());
    OptionalInt number = device == null ? OptionalInt.empty() : facts.openFlowPort(device);
    if (number.isEmpty() || !vnis.containsKey(port.name().network())) {
      return;
    }
    locals.put(port.name(), port);
    numbers.put(port.name(), number.getAsInt());
    byNumber.put(number.getAsInt(), new Place.Local(port.name()));
  }

  Policy policy() {
    return policy;
  }

  /** Peerings that are open, of networks with a port on this DPU. */
  List<PeeringPolicy> peerings() {
    return peerings;
  }

  /** Ports of this DPU that are open. */
  public SortedMap<PortName, LocalPortPolicy> locals() {
    return locals;
  }

  /** Ports elsewhere that are reached. */
  public SortedMap<PortName, RemotePortPolicy> remotes() {
    return remotes;
  }

  public OptionalInt tunnel() {
    return tunnel;
  }

  /** All ports that the switch has. */
  public SortedSet<Integer> switchPorts() {
    return switchPorts;
  }

  /** The switch's number of an open port. */
  public int number(PortName port) {
    Integer number = numbers.get(port);
    if (number == null) {
      throw new IllegalArgumentException(port + " is not open");
    }
    return number;
  }

  int vni(NetworkName network) {
    return Optional.ofNullable(vnis.get(network)).orElseThrow();
  }

  /** Bytes of the largest frame that a network carries; 0 if it is not known. */
  int largestFrame(NetworkName network) {
    return Optional.ofNullable(policy.networks().get(network))
        .map(known -> known.mtuBytes() + ETHERNET_HEADER_BYTES)
        .orElse(0);
  }

  /**
   * Bytes of the largest frame that goes to a receiver: as large as the path carries, but never
   * less than each host of the Internet may count on (RFC 791: 576, RFC 8200: 1280).
   */
  int largestFrame(int ofNetwork, Place to, boolean v6) {
    if (!(to instanceof Place.Tunnel tunnelled)) {
      return ofNetwork;
    }
    Integer limit = pathLimits.get(tunnelled.vtep());
    if (limit == null) {
      return ofNetwork;
    }
    return Math.min(ofNetwork, Math.max(limit, v6 ? 1_280 : 576) + ETHERNET_HEADER_BYTES);
  }

  /** Bytes of the largest frame from a network to a peer: as large as both carry. */
  int largestRoutedFrame(NetworkName from, NetworkName peer) {
    int largest = Integer.MAX_VALUE;
    for (PeeringPolicy peering : policy.peerings().values()) {
      NetworkPolicy network = policy.networks().get(peering.name().network());
      if (network != null && network.name().equals(from) && peering.peer().equals(peer)) {
        int both = Math.min(network.mtuBytes(), peering.peerMtuBytes());
        largest = Math.min(largest, both + ETHERNET_HEADER_BYTES);
      }
    }
    return largest;
  }

  IpAddress vtep(RemotePortPolicy port) {
    return Optional.ofNullable(policy.vteps().get(port.dpu()))
        .map(VtepPolicy::address)
        .orElseThrow();
  }

  /** The place of a remote port as packets to it and from it see it. */
  Place.Tunnel tunnelOf(RemotePortPolicy port) {
    NetworkName network = port.name().network();
    return new Place.Tunnel(vtep(port), vni(network), Optional.of(network));
  }

  /** Where a packet that leaves at a port arrives. */
  public Place destination(int port, Packet packet) {
    if (port == Actions.CONTROLLER) {
      return new Place.Controller();
    }
    if (tunnel.isPresent() && port == tunnel.getAsInt()) {
      int vni = (int) packet.get(Field.TUN_ID).low();
      return new Place.Tunnel(tunnelDestination(packet), vni, Optional.ofNullable(byVni.get(vni)));
    }
    return byNumber.getOrDefault(
        port, new Place.Unknown("port " + Integer.toUnsignedString(port) + " of the switch"));
  }

  private static IpAddress tunnelDestination(Packet packet) {
    Bits v6 = packet.get(Field.TUN_IPV6_DST);
    return v6.isZero()
        ? IpAddress.ofV4(packet.get(Field.TUN_DST).low())
        : IpAddress.ofV6(v6.high(), v6.low());
  }
}
