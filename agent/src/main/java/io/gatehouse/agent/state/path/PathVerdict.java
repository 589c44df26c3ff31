package io.gatehouse.agent.state.path;

/**
 * What is known of a path in the direction away from this DPU. Sizes are those of whole IP packets
 * on the underlay.
 *
 * @param wantedBytes largest packet that the networks shared with the partner need
 * @param provenBytes largest packet that has arrived; 0 if none has
 * @param lostBytes smallest packet known not to arrive; 0 if none is
 */
public record PathVerdict(PathState state, int wantedBytes, int provenBytes, int lostBytes) {
  public static PathVerdict unknown(int wantedBytes) {
    return new PathVerdict(PathState.SEARCHING, wantedBytes, 0, 0);
  }

  /** Of two paths to one partner: packets may take either, so that the worse one counts. */
  public PathVerdict worse(PathVerdict other) {
    PathState worst = state.compareTo(other.state) > 0 ? state : other.state;
    PathState better = worst == state ? other.state : state;
    if (worst == PathState.UNREACHABLE && better == PathState.PROVEN) {
      // One of the ways that packets may take is dead, whatever their size.
      worst = PathState.BLACK_HOLE;
    }
    return new PathVerdict(
        worst,
        wantedBytes,
        Math.min(provenBytes, other.provenBytes),
        lower(lostBytes, other.lostBytes));
  }

  private static int lower(int a, int b) {
    return a == 0 || b == 0 ? Math.max(a, b) : Math.min(a, b);
  }
}
