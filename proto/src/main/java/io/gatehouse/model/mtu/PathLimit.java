package io.gatehouse.model.mtu;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import java.time.Instant;

/**
 * What the worst path between a network's DPUs carries, as probes have shown: less than the network
 * needs. It is a limit by being smaller than what the network has without it.
 *
 * @param largestBytes largest IP packet inside the network that arrives
 * @param from where the path begins
 * @param to where it ends; the other direction is another path
 * @param unlimitedBytes the MTU that the network has without it
 */
public record PathLimit(
    int largestBytes, DpuName from, DpuName to, int unlimitedBytes, Instant since) {
  public PathLimit {
    if (largestBytes < 1 || largestBytes >= unlimitedBytes) {
      throw new InvalidValueException(
          "largest_mtu_bytes", largestBytes, "is outside 1.." + (unlimitedBytes - 1));
    }
    if (from.equals(to)) {
      throw new InvalidValueException("to_dpu", to, "is where the path begins");
    }
  }

  /** The same path, for a network that has another MTU without it. */
  public PathLimit of(int otherUnlimitedBytes) {
    return new PathLimit(largestBytes, from, to, otherUnlimitedBytes, since);
  }

  /** Whether both say the same of the same path. */
  public boolean tellsTheSame(PathLimit other) {
    return largestBytes == other.largestBytes && from.equals(other.from) && to.equals(other.to);
  }
}
