package io.gatehouse.control.decide.peering;

import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * Whether two networks can reach each other: by prefixes that mean one network each to both of
 * them, and by tunnels of one address family. A reason never names what the caller has not named.
 */
public final class PeeringReach {
  private PeeringReach() {}

  /**
   * Why two networks cannot be peers.
   *
   * @param prefix of the network that is changed or agrees
   */
  public record Conflict(Cidr prefix, String reason) {}

  /**
   * What is in the way of an active peering, if anything is.
   *
   * @param network that agrees, or as it would be
   */
  public static Optional<Conflict> conflict(Image image, Network network, Network peer) {
    for (Cidr own : network.cidrs()) {
      Optional<Cidr> met = overlapping(own, peer.cidrs());
      if (met.isPresent()) {
        return Optional.of(
            new Conflict(own, own + " overlaps " + met.get() + " of the peer network"));
      }
      if (reaches(image, peer.name(), network.name(), own)) {
        return Optional.of(
            new Conflict(
                own, own + " overlaps a prefix that the peer network reaches by another peering"));
      }
    }
    return ambiguous(image, network, peer);
  }

  /**
   * Refuses a DPU that has no tunnel to the DPUs of a peer.
   *
   * @param dpu of the network that peers with it, as it is or would be
   */
  static void checkTunnels(Image image, NetworkName peer, Dpu dpu, String field) {
    boolean other =
        image.dpusOf(peer).stream()
            .filter(name -> !name.equals(dpu.name()))
            .limit(1)
            .flatMap(name -> image.dpu(name).stream())
            .anyMatch(far -> far.vtepAddress().family() != dpu.vtepAddress().family());
    if (other) {
      throw unreachable(dpu.name(), field);
    }
  }

  /** Refuses a DPU that carries the network, or would, and has no tunnel to those of a peer. */
  public static void checkTunnelsToPeers(Image image, NetworkName network, Dpu dpu, String field) {
    image.peersOf(network).forEach(peer -> checkTunnels(image, peer, dpu, field));
  }

  /** Two prefixes of this network's peers that are one: packets to them have two ways. */
  private static Optional<Conflict> ambiguous(Image image, Network network, Network peer) {
    for (Peering half : image.peeringsOf(network.name()).values()) {
      List<Cidr> reached =
          half.active() && !half.peer().equals(peer.name())
              ? image.network(half.peer()).map(Network::cidrs).orElse(List.of())
              : List.of();
      for (Cidr cidr : peer.cidrs()) {
        Optional<Cidr> met = overlapping(cidr, reached);
        if (met.isPresent()) {
          return Optional.of(
              new Conflict(
                  network.cidrs().get(0),
                  cidr
                      + " of the peer network overlaps "
                      + met.get()
                      + ", which is reached by "
                      + half.name()));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean reaches(Image image, NetworkName peer, NetworkName except, Cidr prefix) {
    return image.peersOf(peer).stream()
        .filter(other -> !other.equals(except))
        .flatMap(other -> image.network(other).stream())
        .anyMatch(other -> overlapping(prefix, other.cidrs()).isPresent());
  }

  private static Optional<Cidr> overlapping(Cidr prefix, List<Cidr> others) {
    return others.stream().filter(prefix::overlaps).findFirst();
  }

  private static RefusedException unreachable(DpuName dpu, String field) {
    return Refusals.precondition(
        field,
        "the tunnels of " + dpu + " and of the peer network's DPUs differ in address family");
  }
}
