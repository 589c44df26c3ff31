package io.gatehouse.control.decide.fit;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** What narrow paths mean for the networks over them. Pure. */
public final class PathLimits {
  private PathLimits() {}

  /**
   * The limit that these paths set to a network: the worst of those between its DPUs, if that is
   * less than the network needs. Of several that are equally bad the one that is known stays.
   *
   * @param now since when a limit holds that was not there before
   */
  public static Optional<PathLimit> of(
      Image image, Network network, Collection<NarrowPath> narrow, Instant now) {
    Set<DpuName> dpus = image.dpusOf(network.name());
    int unlimited = unlimitedBytes(image, network);
    Comparator<PathLimit> worst =
        Comparator.comparingInt(PathLimit::largestBytes)
            .thenComparing(limit -> !isKnown(network, limit))
            .thenComparing(PathLimit::from)
            .thenComparing(PathLimit::to);
    return narrow.stream()
        .filter(path -> dpus.contains(path.from()) && dpus.contains(path.to()))
        .filter(path -> !path.from().equals(path.to()))
        .flatMap(path -> limit(image, path, unlimited, now).stream())
        .min(worst)
        .map(limit -> isKnown(network, limit) ? network.pathLimit().orElseThrow() : limit);
  }

  /** The MTU that a carried network has, as long as no path limits it. */
  public static int unlimitedBytes(Image image, Network network) {
    if (network.requestedMtuBytes() != 0) {
      return network.requestedMtuBytes();
    }
    return network
        .pathLimit()
        .map(PathLimit::unlimitedBytes)
        .orElseGet(
            () ->
                NetworkMtu.over(
                        image.dpusOf(network.name()).stream()
                            .flatMap(name -> image.dpu(name).stream())
                            .toList())
                    .largestBytes());
  }

  /** What stays of a network's limit when these DPUs carry it, and that MTU fits them. */
  public static Optional<PathLimit> kept(Network network, Set<DpuName> dpus, int fitsBytes) {
    return network
        .pathLimit()
        .filter(limit -> limit.largestBytes() < fitsBytes)
        .filter(limit -> dpus.contains(limit.from()) && dpus.contains(limit.to()))
        .map(limit -> limit.of(fitsBytes));
  }

  private static Optional<PathLimit> limit(
      Image image, NarrowPath path, int unlimited, Instant now) {
    return image
        .dpu(path.from())
        .map(from -> NetworkMtu.stack(from).largestInnerBytes(path.provenBytes()))
        .filter(inner -> inner > 0 && inner < unlimited)
        .map(inner -> new PathLimit(inner, path.from(), path.to(), unlimited, now));
  }

  private static boolean isKnown(Network network, PathLimit limit) {
    return network.pathLimit().filter(limit::tellsTheSame).isPresent();
  }
}
