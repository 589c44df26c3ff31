package io.gatehouse.agent.state.path;

import java.util.List;
import java.util.Optional;

/**
 * A path as it was measured on demand.
 *
 * @param path what probes have shown
 * @param hop where it gets too small; empty if it does not
 * @param tests packets of full size through the tunnels
 * @param missing why something was not measured; empty if all was
 */
public record PathMeasurement(
    PathStatus path, Optional<PathHop> hop, List<TunnelTest> tests, String missing) {
  public PathMeasurement {
    tests = List.copyOf(tests);
  }
}
