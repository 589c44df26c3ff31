package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.ProbeIdentity;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.SecurityRule.Direction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Whom a packet must reach, and whom it may, by the policy alone: nothing here knows a flow. The
 * packet is the first of its connection.
 */
public final class Expectation {
  private static final Arrivals AGENT = new Arrivals(Set.of(new Place.Controller()), Set.of());

  private final Ground ground;
  private final GroupRules rules;
  private final Routes routes;

  public Expectation(Ground ground) {
    this.ground = ground;
    this.rules = new GroupRules(ground.policy());
    this.routes = new Routes(ground);
  }

  /**
   * Where a packet arrives.
   *
   * @param must all of these
   * @param may and none but these besides
   */
  public record Arrivals(Set<Place> must, Set<Place> may) {
    static final Arrivals NONE = new Arrivals(Set.of(), Set.of());

    public Arrivals {
      must = Set.copyOf(must);
      may = Set.copyOf(may);
    }
  }

  /** What to expect of a packet. */
  public Arrivals of(Place from, Packet packet) {
    Headers headers = new Headers(packet);
    if (from instanceof Place.Local local) {
      LocalPortPolicy port = ground.locals().get(local.port());
      return port == null ? Arrivals.NONE : fromHost(port, headers);
    }
    if (from instanceof Place.Tunnel tunnel) {
      return tunnel
          .in()
          .filter(network -> routes.mayEnter(network, tunnel.vtep(), headers))
          .map(network -> fromTunnel(network, headers))
          .orElse(Arrivals.NONE);
    }
    return Arrivals.NONE;
  }

  private Arrivals fromHost(LocalPortPolicy port, Headers headers) {
    if (HostQuestions.isAsked(port, headers)) {
      return isMute(port) ? Arrivals.NONE : AGENT;
    }
    if (!SourceRules.allow(port, headers)) {
      return Arrivals.NONE;
    }
    Place self = new Place.Local(port.name());
    if (headers.isArpRequest() || headers.isDiscovery(Headers.SOLICITATION)) {
      return answered(port, headers, self);
    }
    Arrivals arrivals = new Arrivals(Set.of(), Set.of(new Place.Controller()));
    boolean free =
        allowed(port.quarantine(), headers.isArp() ? null : headers.ipDestination())
            && (headers.isNeighbourMessage() || rules.allow(port, Direction.EGRESS, headers));
    if (!free) {
      return arrivals;
    }
    NetworkName network = port.name().network();
    Optional<NetworkName> next = routes.next(network, headers);
    Receivers receivers =
        next.map(peer -> Receivers.routed(peer, headers))
            .orElseGet(() -> Receivers.bridged(network, headers));
    int carried =
        next.map(peer -> ground.largestRoutedFrame(network, peer))
            .orElseGet(() -> ground.largestFrame(network));
    List<Reached> all =
        Stream.concat(locals(receivers, headers, self), remotes(receivers)).toList();
    boolean unsure =
        unsure(headers, port.security())
            || (headers.isNeighbourMessage() && port.quarantine().isPresent());
    Arrivals usual = collect(all, unsure, arrivals.may());
    boolean tooLarge = headers.packet().lengthBytes() > largest(carried, all, headers);
    return tooLarge && !headers.destination().isGroup() ? reported(usual) : usual;
  }

  /** Bytes of the largest frame that reaches its one receiver. */
  private int largest(int carried, List<Reached> receivers, Headers headers) {
    return receivers.stream()
        .mapToInt(one -> ground.largestFrame(carried, one.place(), headers.isV6()))
        .min()
        .orElse(carried);
  }

  /** What is too large is told to the agent, and to nobody else. */
  private static Arrivals reported(Arrivals usual) {
    Set<Place> agent = Set.of(new Place.Controller());
    return new Arrivals(usual.must().isEmpty() ? Set.of() : agent, agent);
  }

  /** Whether a quarantine lets it talk with nobody at all. */
  private static boolean isMute(LocalPortPolicy port) {
    return port.quarantine().map(quarantine -> quarantine.allowed().isEmpty()).orElse(false);
  }

  private Arrivals fromTunnel(NetworkName network, Headers headers) {
    if (headers.source().equals(ProbeIdentity.MAC)
        && headers.destination().equals(ProbeIdentity.MAC)) {
      return AGENT;
    }
    Place nobody = new Place.Unknown("nobody");
    Receivers receivers = Receivers.bridged(network, headers);
    return collect(locals(receivers, headers, nobody).toList(), headers.isOdd(), Set.of());
  }

  /** A question is answered on the spot, and goes no further. */
  private Arrivals answered(LocalPortPolicy port, Headers headers, Place self) {
    IpAddress asked = headers.isArp() ? headers.v4(Field.ARP_TPA) : headers.v6(Field.ND_TARGET);
    NetworkName network = port.name().network();
    boolean known =
        !port.addresses().contains(asked)
            && (isThere(network, asked)
                || routes.owner(network, asked).filter(peer -> isThere(peer, asked)).isPresent());
    boolean sure = known && port.quarantine().isEmpty() && !headers.isOdd();
    return new Arrivals(sure ? Set.of(self) : Set.of(), Set.of(self, new Place.Controller()));
  }

  private boolean isThere(NetworkName network, IpAddress address) {
    return Stream.concat(
            ground.locals().values().stream()
                .filter(p -> p.name().network().equals(network))
                .map(LocalPortPolicy::addresses),
            ground.remotes().values().stream()
                .filter(p -> p.name().network().equals(network))
                .filter(p -> ground.tunnel().isPresent())
                .map(RemotePortPolicy::addresses))
        .anyMatch(addresses -> addresses.contains(address));
  }

  private record Reached(Place place, boolean sure) {}

  /** Who gets a packet: in one network, by MAC address or, where it is routed, by IP address. */
  private record Receivers(
      NetworkName network, BiPredicate<MacAddress, List<IpAddress>> isReceiver) {
    static Receivers bridged(NetworkName network, Headers headers) {
      MacAddress to = headers.destination();
      return new Receivers(network, (mac, addresses) -> to.isGroup() || to.equals(mac));
    }

    static Receivers routed(NetworkName network, Headers headers) {
      IpAddress to = headers.ipDestination();
      return new Receivers(network, (mac, addresses) -> addresses.contains(to));
    }

    boolean has(PortName name, MacAddress mac, List<IpAddress> addresses) {
      return name.network().equals(network) && isReceiver.test(mac, addresses);
    }
  }

  private Stream<Reached> locals(Receivers receivers, Headers headers, Place sender) {
    return ground.locals().values().stream()
        .filter(to -> receivers.has(to.name(), to.mac(), to.addresses()))
        .filter(to -> !sender.equals(new Place.Local(to.name())))
        .filter(to -> allowed(to.quarantine(), headers.isArp() ? null : headers.ipSource()))
        .filter(to -> headers.isNeighbourMessage() || rules.allow(to, Direction.INGRESS, headers))
        .map(
            to ->
                new Reached(
                    new Place.Local(to.name()),
                    !unsure(headers, to.security())
                        && !(headers.isNeighbourMessage() && to.quarantine().isPresent())));
  }

  private Stream<Reached> remotes(Receivers receivers) {
    if (ground.tunnel().isEmpty()) {
      return Stream.empty();
    }
    return ground.remotes().values().stream()
        .filter(to -> receivers.has(to.name(), to.mac(), to.addresses()))
        .map(to -> new Reached(ground.tunnelOf(to), true));
  }

  /** Whether such a packet passes is not said by the policy; whom it must not reach is. */
  private static boolean unsure(Headers headers, PortSecurity security) {
    return headers.isOdd() || (headers.isNeighbourMessage() && !security.groups().isEmpty());
  }

  private static boolean allowed(
      Optional<Quarantine> quarantine, @org.jspecify.annotations.Nullable IpAddress other) {
    if (quarantine.isEmpty()) {
      return true;
    }
    return other != null
        && quarantine.get().allowed().stream().anyMatch(cidr -> SourceRules.isIn(cidr, other));
  }

  private static Arrivals collect(List<Reached> reached, boolean unsure, Set<Place> may) {
    Set<Place> must = new HashSet<>();
    Set<Place> also = new HashSet<>(may);
    reached.forEach(one -> (one.sure() && !unsure ? must : also).add(one.place()));
    return new Arrivals(must, also);
  }
}
