package io.gatehouse.control.decide;

import static java.util.Objects.requireNonNullElse;

import io.gatehouse.control.decide.NetworkCommand.CreateNetwork;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.NetworkCommand.LimitPath;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.SettleMtu;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.fit.AddressAllocator;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.PathLimits;
import io.gatehouse.control.decide.peering.PeeringReach;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.NetworkDeleted;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.Network;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.AddressPair;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides commands about networks. */
final class NetworkDecider {
  private NetworkDecider() {}

  static List<Event> decide(Image image, NetworkCommand command) {
    if (command instanceof CreateNetwork create) {
      return create(image, create);
    }
    if (command instanceof UpdateNetwork update) {
      return update(image, update);
    }
    if (command instanceof SettleMtu settle) {
      return settle(image, settle);
    }
    if (command instanceof LimitPath limit) {
      return limit(image, limit);
    }
    return delete(image, (DeleteNetwork) command);
  }

  private static List<Event> create(Image image, CreateNetwork command) {
    NetworkName name = command.name();
    Tenant tenant = Refusals.existing(image.tenant(name.tenant()), name.tenant());
    Refusals.absent(image.network(name), name);
    checkQuota(image, tenant);
    Vni vni =
        command
            .vni()
            .map(asked -> VniAllocator.take(image, asked, tenant.name()))
            .orElseGet(() -> VniAllocator.allocate(image));
    Instant now = command.request().time();
    Network network =
        new Network(
            name,
            command.displayName(),
            vni,
            command.cidrs(),
            command.mtuBytes(),
            command.mtuBytes(),
            command.hosts(),
            now,
            now);
    checkCidrs(image, network);
    checkRoutes(network);
    int mtuBytes = fitting(image, network);
    return List.of(new NetworkPut(network.withMtu(mtuBytes, mtuBytes, now)));
  }

  private static List<Event> update(Image image, UpdateNetwork command) {
    Network old = Refusals.existing(image.network(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    NetworkPatch patch = command.patch();
    Network network =
        new Network(
            old.name(),
            requireNonNullElse(patch.displayName(), old.displayName()),
            old.vni(),
            cidrs(old, patch),
            requireNonNullElse(patch.mtuBytes(), old.requestedMtuBytes()),
            old.effectiveMtuBytes(),
            old.receiveMtuBytes(),
            old.pathLimit(),
            requireNonNullElse(patch.hosts(), old.hosts()),
            old.createdAt(),
            command.request().time());
    if (!network.cidrs().equals(old.cidrs())) {
      checkCidrs(image, network);
      checkPortsFit(image, network);
      checkPeers(image, network);
    }
    checkRoutes(network);
    boolean sized =
        network.requestedMtuBytes() != old.requestedMtuBytes()
            || !network.cidrs().equals(old.cidrs());
    if (!sized) {
      return List.of(new NetworkPut(network));
    }
    int mtuBytes = fitting(image, network);
    Carriers carriers = Carriers.of(image, network.name());
    Instant now = network.updatedAt();
    return List.of(
        new NetworkPut(
            carriers.isEmpty()
                ? network.withMtu(mtuBytes, mtuBytes, now)
                : carriers.toward(network, mtuBytes, now)));
  }

  private static List<Event> delete(Image image, DeleteNetwork command) {
    Network old = Refusals.existing(image.network(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Refusals.unused(old.name(), "ports", image.portsOf(old.name()).keySet());
    Refusals.unused(old.name(), "peerings", image.peeringsOf(old.name()).keySet());
    return List.of(new NetworkDeleted(old.name(), old.vni()));
  }

  private static List<Event> settle(Image image, SettleMtu command) {
    Network old = Refusals.existing(image.network(command.name()), command.name());
    MtuChange change =
        MtuChange.of(image, old, command.facts())
            .orElseThrow(
                () -> Refusals.precondition("name", "the MTU of " + old.name() + " is settled"));
    if (!change.waitsFor().isEmpty()) {
      throw Refusals.precondition("name", String.join("; ", change.waitsFor()));
    }
    return List.of(new NetworkPut(change.end(command.request().time())));
  }

  private static List<Event> limit(Image image, LimitPath command) {
    Network old = Refusals.existing(image.network(command.name()), command.name());
    Instant now = command.request().time();
    Optional<PathLimit> limit = PathLimits.of(image, old, command.narrow(), now);
    if (limit.equals(old.pathLimit())) {
      throw Refusals.precondition("name", "the limit of " + old.name() + "'s paths is known");
    }
    int unlimited = PathLimits.unlimitedBytes(image, old);
    return List.of(new NetworkPut(MtuChange.begin(old, limit, unlimited, now)));
  }

  private static void checkQuota(Image image, Tenant tenant) {
    int networks = image.networksOf(tenant.name()).size();
    if (networks >= tenant.quota().maxNetworks()) {
      throw new RefusedException(
          Kind.RESOURCE_EXHAUSTED,
          tenant.name()
              + " has "
              + networks
              + " networks, its quota is "
              + tenant.quota().maxNetworks());
    }
  }

  private static List<Cidr> cidrs(Network old, NetworkPatch patch) {
    List<Cidr> oldV4 = old.cidrs().stream().filter(cidr -> cidr.address().isV4()).toList();
    List<Cidr> oldV6 = old.cidrs().stream().filter(cidr -> cidr.address().isV6()).toList();
    return Stream.concat(
            requireNonNullElse(patch.ipv4Cidrs(), oldV4).stream(),
            requireNonNullElse(patch.ipv6Cidrs(), oldV6).stream())
        .toList();
  }

  /** Refuses prefixes that no host can have, and those of the tenant's other networks. */
  private static void checkCidrs(Image image, Network network) {
    for (Cidr cidr : network.cidrs()) {
      IpAddress first = cidr.address();
      boolean special = first.isMulticast() || first.isLoopback() || first.isUnspecified();
      if (special || (first.isV6() && first.isLinkLocal())) {
        throw new InvalidValueException(field(cidr), cidr, "is not a prefix of hosts' addresses");
      }
    }
    for (Network other : image.networksOf(network.name().tenant()).values()) {
      if (!other.name().equals(network.name())) {
        checkOverlap(network, other);
      }
    }
  }

  private static void checkOverlap(Network network, Network other) {
    for (Cidr cidr : network.cidrs()) {
      for (Cidr taken : other.cidrs()) {
        if (cidr.overlaps(taken)) {
          throw Refusals.precondition(
              field(cidr), cidr + " overlaps " + taken + " of " + other.name());
        }
      }
    }
  }

  private static void checkPortsFit(Image image, Network network) {
    for (Port port : image.portsOf(network.name()).values()) {
      for (IpAddress address : port.addresses()) {
        String problem = AddressAllocator.problemOf(address, network.cidrs());
        if (!problem.isEmpty()) {
          throw Refusals.precondition(
              address.isV4() ? "ipv4_cidr" : "ipv6_cidr",
              port.name() + " has " + address + ", which " + problem);
        }
      }
      for (AddressPair pair : port.security().allowedPairs()) {
        String problem = AddressAllocator.problemOf(pair, network.cidrs());
        if (!problem.isEmpty()) {
          throw Refusals.precondition(
              field(pair.addresses()),
              port.name() + " may use " + pair.addresses() + ", which " + problem);
        }
      }
    }
  }

  private static void checkPeers(Image image, Network network) {
    for (NetworkName peer : image.peersOf(network.name())) {
      PeeringReach.conflict(image, network, Refusals.existing(image.network(peer), peer))
          .ifPresent(
              conflict -> {
                throw Refusals.precondition(field(conflict.prefix()), conflict.reason());
              });
    }
  }

  /** A router outside of the network is one that its hosts cannot reach. */
  private static void checkRoutes(Network network) {
    List<Route> routes = network.hosts().routes();
    for (int i = 0; i < routes.size(); i++) {
      IpAddress hop = routes.get(i).nextHop();
      String problem = AddressAllocator.problemOf(hop, network.cidrs());
      // The address of a neighbour on the link needs no prefix.
      boolean onLink = hop.isV6() && hop.isLinkLocal();
      if (!problem.isEmpty() && !onLink) {
        throw new InvalidValueException(
            "host_configuration.routes[" + i + "].next_hop", hop, problem);
      }
    }
  }

  private static String field(Cidr cidr) {
    return cidr.address().isV4() ? "ipv4_cidr" : "ipv6_cidr";
  }

  private static int fitting(Image image, Network network) {
    return Carriers.of(image, network.name())
        .mtu(image)
        .inForce(network.requestedMtuBytes(), network.cidrs(), "mtu_bytes");
  }
}
