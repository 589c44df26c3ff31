package io.gatehouse.control.cli.mtu;

import io.gatehouse.proto.v1.PathHop;
import io.gatehouse.proto.v1.UnderlayPath;

/** Where a path gets too small, in words. */
final class HopText {
  private HopText() {}

  /** What stands in a sentence behind what is lost; the path has a hop. */
  static String of(UnderlayPath path) {
    PathHop hop = path.getHop();
    if (!hop.getUnknown().isEmpty()) {
      return "hop unknown: " + hop.getUnknown();
    }
    String where =
        hop.getDistance() == 0
            ? "at the DPU itself, " + hop.getAddress()
            : "%s, hop %d".formatted(hop.getAddress(), hop.getDistance());
    if (hop.getMtuBytes() > 0) {
      return (hop.getDistance() == 0 ? where : "at " + where) + ", says " + hop.getMtuBytes();
    }
    return "behind " + where;
  }
}
