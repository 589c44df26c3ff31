package io.gatehouse.control.image;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.Vni;
import java.util.Set;

/**
 * A VNI of a removed network that nobody gets yet.
 *
 * @param revision that removed the network
 * @param dpus that carried it at any time, and may still until they confirm
 */
public record RestingVni(Vni vni, long revision, Set<DpuName> dpus) {
  public RestingVni {
    dpus = Set.copyOf(dpus);
  }
}
