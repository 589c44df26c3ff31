package io.gatehouse.agent.state.path;

import io.gatehouse.model.net.IpAddress;
import java.util.Optional;

/**
 * Where a path gets too small.
 *
 * @param distance routers up to and with this one; 0 for this DPU itself
 * @param address that it answered from
 * @param mtuBytes what it says that the way behind it carries; 0 if it says nothing, so that what
 *     is larger vanishes somewhere behind it
 * @param unknown why no hop can be named; empty if one is
 */
public record PathHop(int distance, Optional<IpAddress> address, int mtuBytes, String unknown) {
  public static PathHop unknown(String why) {
    return new PathHop(0, Optional.empty(), 0, why);
  }

  public static PathHop at(int distance, IpAddress address, int mtuBytes) {
    return new PathHop(distance, Optional.of(address), mtuBytes, "");
  }
}
