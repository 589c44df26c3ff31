package io.gatehouse.control.mtu;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.NetworkName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The networks that paths limit now, and how often that has changed. For one thread. */
final class LimitedNetworks {
  private final RaisePace pace = new RaisePace();
  private @Nullable Map<NetworkName, Network> seen;
  private Map<NetworkName, Integer> limits = Map.of();
  private volatile int degraded;
  private volatile int lowered;

  /** Bytes of a limit; without one as many as there can be. */
  static int bytes(Optional<PathLimit> limit) {
    return limit.map(PathLimit::largestBytes).orElse(Integer.MAX_VALUE);
  }

  /** Takes over what has changed. */
  void look(Image image, Instant now) {
    if (image.networks() == seen) {
      // A map that never changes: the same one has the same networks in it.
      return;
    }
    Map<NetworkName, Integer> next =
        image.networks().values().stream()
            .filter(network -> network.pathLimit().isPresent())
            .collect(Collectors.toMap(Network::name, network -> bytes(network.pathLimit())));
    if (seen != null) {
      limits.forEach(
          (name, was) -> compare(name, was, next.getOrDefault(name, Integer.MAX_VALUE), now));
      next.keySet().stream()
          .filter(name -> !limits.containsKey(name))
          .forEach(name -> pace.lowered(name, now));
    }
    seen = image.networks();
    limits = next;
    degraded = (int) seen.values().stream().filter(Network::isDegraded).count();
    lowered = (int) seen.values().stream().filter(Network::isLowered).count();
    pace.forget(next::containsKey, now);
  }

  /** Those with a limit. */
  Set<NetworkName> names() {
    return limits.keySet();
  }

  /** How long the paths of a network must be better before it is raised. */
  Duration raisePace(NetworkName network) {
    return pace.of(network);
  }

  /** Any thread. */
  int degradedCount() {
    return degraded;
  }

  /** Any thread. */
  int loweredCount() {
    return lowered;
  }

  private void compare(NetworkName network, int was, int is, Instant now) {
    if (is > was) {
      pace.raised(network, now);
    } else if (is < was) {
      pace.lowered(network, now);
    }
  }
}
