package io.gatehouse.control.decide.peering;

import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.peering.PeeringCommand.CreatePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.DeletePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.RenamePeering;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.PeeringDeleted;
import io.gatehouse.control.image.Event.PeeringPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides commands about peerings. The first side learns nothing of the other: whether that network
 * exists, and what it is like, is looked at when the second side agrees.
 */
public final class PeeringDecider {
  private static final String PEER = "peer_network";

  private PeeringDecider() {}

  /**
   * What the command makes happen.
   *
   * @throws RefusedException if a rule is against it
   */
  public static List<Event> decide(Image image, Instant now, PeeringCommand command) {
    if (command instanceof CreatePeering create) {
      return create(image, now, create);
    }
    if (command instanceof RenamePeering rename) {
      return rename(image, now, rename);
    }
    return delete(image, now, (DeletePeering) command);
  }

  private static List<Event> create(Image image, Instant now, CreatePeering command) {
    PeeringName name = command.name();
    Network network = Refusals.existing(image.network(name.network()), name.network());
    Refusals.absent(image.peering(name), name);
    Peering half = new Peering(name, command.displayName(), command.peer(), false, now, now);
    checkOthers(image, half);
    Optional<Peering> answered = answerTo(image, half);
    if (answered.isEmpty()) {
      return List.of(new PeeringPut(half));
    }
    Network peer = Refusals.existing(image.network(half.peer()), PEER, half.peer());
    PeeringReach.conflict(image, network, peer)
        .ifPresent(
            conflict -> {
              throw Refusals.precondition(PEER, conflict.reason());
            });
    image.dpusOf(network.name()).stream()
        .limit(1)
        .flatMap(dpu -> image.dpu(dpu).stream())
        .forEach(dpu -> PeeringReach.checkTunnels(image, peer.name(), dpu, PEER));
    return List.of(
        new PeeringPut(stateful(half, true, now)),
        new PeeringPut(stateful(answered.get(), true, now)));
  }

  private static List<Event> rename(Image image, Instant now, RenamePeering command) {
    Peering old = current(image, command.name(), command.etag());
    return List.of(
        new PeeringPut(
            new Peering(
                old.name(),
                command.displayName(),
                old.peer(),
                old.active(),
                old.createdAt(),
                now)));
  }

  private static List<Event> delete(Image image, Instant now, DeletePeering command) {
    Peering old = current(image, command.name(), command.etag());
    List<Event> events = new ArrayList<>();
    events.add(new PeeringDeleted(old.name()));
    answerTo(image, old).ifPresent(left -> events.add(new PeeringPut(stateful(left, false, now))));
    return events;
  }

  private static Peering current(Image image, PeeringName name, String etag) {
    Peering peering = Refusals.existing(image.peering(name), name);
    Etag.check(etag, peering, name);
    return peering;
  }

  private static void checkOthers(Image image, Peering half) {
    NetworkName network = half.name().network();
    halfOf(image, network, half.peer())
        .ifPresent(
            other -> {
              throw Refusals.taken(
                  PEER, network + " has a peering with that network already: " + other.name());
            });
    int peerings = image.peeringsOf(network).size();
    if (peerings >= Peering.MAX_PER_NETWORK) {
      throw new RefusedException(
          Kind.RESOURCE_EXHAUSTED,
          network + " has " + peerings + " peerings, at most " + Peering.MAX_PER_NETWORK + " fit");
    }
  }

  /** The other side's half. */
  private static Optional<Peering> answerTo(Image image, Peering half) {
    NetworkName asked = half.peer();
    return halfOf(image, asked, half.name().network());
  }

  /** The peering of a network that names that peer. */
  private static Optional<Peering> halfOf(Image image, NetworkName network, NetworkName peer) {
    return image.peeringsOf(network).values().stream()
        .filter(half -> half.peer().equals(peer))
        .findFirst();
  }

  private static Peering stateful(Peering half, boolean active, Instant now) {
    return new Peering(half.name(), half.displayName(), half.peer(), active, half.createdAt(), now);
  }
}
