package io.gatehouse.agent.plan;

import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.BridgePlan;
import io.gatehouse.agent.state.planned.PortPlan;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The bridge and its ports. */
final class BridgePlanner {
  /**
   * What a representor carries at least, whatever its network does. What is larger than its MTU
   * vanishes at the device, before the switch could see it and the agent could answer
   * (docs/decisions/0086).
   */
  static final int REPRESENTOR_MTU = 9_216;

  private static final String TUNNEL_OWNER = "tunnel";

  private BridgePlanner() {}

  /**
   * Plans the bridge.
   *
   * @param bound the ports whose function is there
   */
  static BridgePlan plan(Policy policy, Site site, List<BoundPort> bound) {
    SortedMap<String, PortPlan> ports = new TreeMap<>();
    ports.put(Site.TUNNEL_PORT, tunnel(site));
    bound.forEach(
        one ->
            ports.put(
                one.device(),
                new PortPlan(
                    one.device(),
                    "",
                    Map.of(),
                    one.port().key(),
                    mtu(policy, one.port()),
                    one.zone())));
    return new BridgePlan(site.datapath(), ports);
  }

  private static OptionalInt mtu(Policy policy, LocalPortPolicy port) {
    NetworkPolicy network = policy.networks().get(port.name().network());
    return OptionalInt.of(
        network == null ? REPRESENTOR_MTU : Math.max(REPRESENTOR_MTU, network.receiveMtuBytes()));
  }

  /**
   * One VXLAN port for all peers and networks: the flows set peer and VNI. A VTEP must not fragment
   * (RFC 7348 §4.3), hence "df_default".
   */
  private static PortPlan tunnel(Site site) {
    return new PortPlan(
        Site.TUNNEL_PORT,
        "vxlan",
        Map.of(
            "remote_ip", "flow",
            "local_ip", site.vtep().toString(),
            "key", "flow",
            "dst_port", Integer.toString(Protocols.VXLAN_PORT),
            "df_default", "true"),
        TUNNEL_OWNER,
        OptionalInt.empty(),
        Optional.empty());
  }
}
