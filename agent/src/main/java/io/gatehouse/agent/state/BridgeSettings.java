package io.gatehouse.agent.state;

import java.util.Map;

/** The columns of the bridge that Gatehouse sets, as text: column name to value. */
public final class BridgeSettings {
  public static final String DATAPATH_TYPE = "datapath_type";
  public static final String FAIL_MODE = "fail_mode";
  public static final String PROTOCOLS = "protocols";

  private BridgeSettings() {}

  /**
   * What must be. In fail mode "secure" a bridge without flows forwards nothing; in the other mode
   * it would be a learning switch that joins all tenants.
   */
  public static Map<String, String> wanted(Site.Datapath datapath) {
    return Map.of(DATAPATH_TYPE, datapath.type(), FAIL_MODE, "secure", PROTOCOLS, "OpenFlow15");
  }
}
