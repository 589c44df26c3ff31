package io.gatehouse.agent.state;

import java.util.Map;

/** The columns of the bridge that Gatehouse sets, as text: column name to value. */
public final class BridgeSettings {
  public static final String DATAPATH_TYPE = "datapath_type";
  public static final String FAIL_MODE = "fail_mode";
  public static final String PROTOCOLS = "protocols";

  /** Key of {@code other_config} that makes a starting switch wait for its flows. */
  public static final String RESTORE_WAIT = "flow-restore-wait";

  /**
   * Without flows the bridge forwards nothing; in the other mode it would learn and join tenants.
   */
  public static final String SECURE = "secure";

  /** The version whose flow monitoring and bundles the agent uses. */
  public static final String OPENFLOW_VERSION = "OpenFlow15";

  private BridgeSettings() {}

  /** What must be. */
  public static Map<String, String> wanted(Site.Datapath datapath) {
    return Map.of(DATAPATH_TYPE, datapath.type(), FAIL_MODE, SECURE, PROTOCOLS, OPENFLOW_VERSION);
  }
}
