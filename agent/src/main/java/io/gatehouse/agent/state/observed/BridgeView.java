package io.gatehouse.agent.state.observed;

import io.gatehouse.agent.state.BridgeSettings;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The bridge as the database has it, with what matters beside it.
 *
 * @param exists whether there is a bridge of our name at all
 * @param settings columns of the bridge that Gatehouse sets, in the text form of {@link
 *     BridgeSettings}
 * @param ports by device name, also those that are not ours
 * @param restoreWait whether {@code other_config:flow-restore-wait} is set
 * @param configuredBySwitch whether ovs-vswitchd has taken the newest configuration
 * @param otherBridges bridge by the name of a port or device that it holds, for all bridges that
 *     are not ours
 * @param alarms configurations beside ours that break isolation
 * @param foreign objects beside ours that are none of our business
 */
public record BridgeView(
    boolean exists,
    Map<String, String> settings,
    SortedMap<String, PortView> ports,
    boolean restoreWait,
    boolean configuredBySwitch,
    Map<String, String> otherBridges,
    List<String> alarms,
    List<String> foreign) {
  public BridgeView {
    settings = Map.copyOf(settings);
    otherBridges = Map.copyOf(otherBridges);
    ports = Collections.unmodifiableSortedMap(ports);
    alarms = List.copyOf(alarms);
    foreign = List.copyOf(foreign);
  }
}
