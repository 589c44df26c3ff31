package io.gatehouse.model;

import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import io.gatehouse.model.net.Vni;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A layer-2 domain of one tenant, carried by VXLAN.
 *
 * @param cidrs one or two prefixes, at most one for each address family, IPv4 first
 * @param requestedMtuBytes largest IP packet inside, as asked for; 0 means the largest that fits
 * @param effectiveMtuBytes largest IP packet inside, in force: what hosts are told and may send
 * @param receiveMtuBytes largest IP packet that the DPUs take for its hosts; more than what is in
 *     force only while the MTU changes
 * @param pathLimit what the paths between its DPUs carry, if that is less than it needs
 * @param hosts what its hosts are told
 */
public record Network(
    NetworkName name,
    String displayName,
    Vni vni,
    List<Cidr> cidrs,
    int requestedMtuBytes,
    int effectiveMtuBytes,
    int receiveMtuBytes,
    Optional<PathLimit> pathLimit,
    HostConfiguration hosts,
    Instant createdAt,
    Instant updatedAt) {
  public static final int MIN_MTU_BYTES = 576;
  public static final int MIN_IPV6_MTU_BYTES = 1_280;
  public static final int MAX_MTU_BYTES = 9_216;

  private static final int MIN_V4_LENGTH = 8;
  private static final int MAX_V4_LENGTH = 30;
  private static final int MIN_V6_LENGTH = 16;
  private static final int MAX_V6_LENGTH = 126;

  public Network {
    cidrs = List.copyOf(cidrs);
    Limits.displayName("display_name", displayName);
    if (cidrs.isEmpty()) {
      throw new InvalidValueException("ipv4_cidr", "", "and ipv6_cidr are both empty");
    }
    cidrs.forEach(Network::checkCidr);
    boolean sameFamily = cidrs.size() == 2 && !(isV4(cidrs.get(0)) && !isV4(cidrs.get(1)));
    if (cidrs.size() > 2 || sameFamily) {
      throw new InvalidValueException("cidrs", cidrs, "are not one IPv4 and one IPv6 prefix");
    }
    if (requestedMtuBytes != 0) {
      int least = cidrs.stream().allMatch(Network::isV4) ? MIN_MTU_BYTES : MIN_IPV6_MTU_BYTES;
      Limits.range("mtu_bytes", requestedMtuBytes, least, MAX_MTU_BYTES);
    }
    if (receiveMtuBytes < effectiveMtuBytes) {
      throw new InvalidValueException(
          "receive_mtu_bytes", receiveMtuBytes, "is below the " + effectiveMtuBytes + " in force");
    }
  }

  /** A network whose MTU does not change, and whose paths carry it. */
  public Network(
      NetworkName name,
      String displayName,
      Vni vni,
      List<Cidr> cidrs,
      int requestedMtuBytes,
      int effectiveMtuBytes,
      HostConfiguration hosts,
      Instant createdAt,
      Instant updatedAt) {
    this(
        name,
        displayName,
        vni,
        cidrs,
        requestedMtuBytes,
        effectiveMtuBytes,
        effectiveMtuBytes,
        Optional.empty(),
        hosts,
        createdAt,
        updatedAt);
  }

  /** The network with another MTU in force, and another that is taken. */
  public Network withMtu(int effectiveBytes, int receiveBytes, Instant now) {
    return new Network(
        name,
        displayName,
        vni,
        cidrs,
        requestedMtuBytes,
        effectiveBytes,
        receiveBytes,
        pathLimit,
        hosts,
        createdAt,
        now);
  }

  /** The network with another limit of its paths, or with none. */
  public Network withPathLimit(Optional<PathLimit> limit) {
    return new Network(
        name,
        displayName,
        vni,
        cidrs,
        requestedMtuBytes,
        effectiveMtuBytes,
        receiveMtuBytes,
        limit,
        hosts,
        createdAt,
        updatedAt);
  }

  /**
   * The MTU to aim at: with a limit of its paths an automatic network goes down to it, though not
   * below what its address families need.
   *
   * @param fitsBytes what it has without such a limit
   */
  public int goalMtuBytes(int fitsBytes) {
    if (requestedMtuBytes != 0 || pathLimit.isEmpty()) {
      return fitsBytes;
    }
    int limited = Math.max(pathLimit.get().largestBytes(), leastMtuBytes());
    return Math.min(fitsBytes, limited);
  }

  /** Whether it keeps an MTU that one of its paths does not carry. */
  public boolean isDegraded() {
    return pathLimit
        .filter(limit -> goalMtuBytes(limit.unlimitedBytes()) > limit.largestBytes())
        .isPresent();
  }

  /** Whether its MTU is smaller because of a path, and all paths carry it. */
  public boolean isLowered() {
    return pathLimit.isPresent() && !isDegraded();
  }

  /** Least MTU that its address families allow (RFC 791 §3.2, RFC 8200 §5). */
  public int leastMtuBytes() {
    return cidrs.stream().allMatch(Network::isV4) ? MIN_MTU_BYTES : MIN_IPV6_MTU_BYTES;
  }

  /** The largest IP packet inside that its paths are probed for. */
  public int probeMtuBytes() {
    return pathLimit
        .map(limit -> Math.max(limit.unlimitedBytes(), effectiveMtuBytes))
        .orElse(effectiveMtuBytes);
  }

  /** Whether a change of the MTU waits for DPUs. */
  public boolean isMtuChanging() {
    return receiveMtuBytes != effectiveMtuBytes;
  }

  private static void checkCidr(Cidr cidr) {
    if (isV4(cidr)) {
      Limits.range("ipv4_cidr.length", cidr.prefixLength(), MIN_V4_LENGTH, MAX_V4_LENGTH);
      return;
    }
    Limits.range("ipv6_cidr.length", cidr.prefixLength(), MIN_V6_LENGTH, MAX_V6_LENGTH);
  }

  private static boolean isV4(Cidr cidr) {
    return cidr.address().isV4();
  }
}
