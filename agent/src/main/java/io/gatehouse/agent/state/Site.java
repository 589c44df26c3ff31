package io.gatehouse.agent.state;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import java.util.Optional;

/**
 * What is fixed for this DPU by its configuration.
 *
 * @param vtep underlay address of its VTEP
 * @param datapath how Open vSwitch moves packets here
 * @param underlay the device that holds the VTEP address, if the agent keeps it in order
 */
public record Site(DpuName dpu, IpAddress vtep, Datapath datapath, Optional<Underlay> underlay) {
  /** Name of the bridge that Gatehouse owns. */
  public static final String BRIDGE = "gh-int";

  /** Name of the one VXLAN port on it. */
  public static final String TUNNEL_PORT = "gh-vxlan";

  /**
   * Key of {@code external_ids} on everything that Gatehouse creates; the value is the DPU's name.
   */
  public static final String OWNER_KEY = "gatehouse";

  /** Key of {@code external_ids} of a port that has a {@link PortZone}: the zone's number. */
  public static final String ZONE_KEY = "gatehouse-zone";

  /** Key beside {@link #ZONE_KEY}: the incarnation of the port that the zone is of. */
  public static final String ZONE_UID_KEY = "gatehouse-zone-uid";

  /** The kinds of Open vSwitch datapath, by their names in the database. */
  public enum Datapath {
    /** The kernel's: the BlueField way, with offload to hardware. */
    SYSTEM("system"),
    /** In userspace: runs everywhere. */
    NETDEV("netdev");

    private final String type;

    Datapath(String type) {
      this.type = type;
    }

    /** The value of the column {@code datapath_type}. */
    public String type() {
      return type;
    }

    /** Name of the one datapath of this kind, which all bridges share (ovs-dpctl(8)). */
    public String backer() {
      return type + "@ovs-" + type;
    }
  }
}
