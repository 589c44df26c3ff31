package io.gatehouse.agent.apply;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.unixctl.UnixctlClient;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.planned.ConnectionLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes limits of zones of the connection tracker (ovs-dpctl(8), ct-set-limits). */
public final class ConnectionLimitApplier {
  /** Zones in one command: each command is a turn of the daemon's main loop. */
  private static final int AT_ONCE = 64;

  private final UnixctlClient client;
  private final String datapath;

  /**
   * Makes an applier.
   *
   * @param client of the applying thread
   */
  public ConnectionLimitApplier(UnixctlClient client, Site.Datapath datapath) {
    this.client = client;
    this.datapath = datapath.backer();
  }

  /**
   * Sets limits.
   *
   * @return what was refused, by the zone
   */
  public Map<Integer, String> open(ConnectionLimitChange change)
      throws DeviceException, InterruptedException {
    Map<Integer, String> refused = new TreeMap<>();
    List<ConnectionLimit> sets = change.sets();
    for (int from = 0; from < sets.size(); from += AT_ONCE) {
      List<ConnectionLimit> some = sets.subList(from, Math.min(from + AT_ONCE, sets.size()));
      if (refusal(some).isEmpty()) {
        continue;
      }
      for (ConnectionLimit one : some) {
        String reason = refusal(List.of(one));
        if (!reason.isEmpty()) {
          refused.put(one.zone(), reason);
        }
      }
    }
    return refused;
  }

  /** Deletes limits of zones in which nothing is tracked any more. */
  public void close(ConnectionLimitChange change) throws DeviceException, InterruptedException {
    List<Integer> zones = change.deletes();
    for (int from = 0; from < zones.size(); from += AT_ONCE) {
      String some =
          zones.subList(from, Math.min(from + AT_ONCE, zones.size())).stream()
              .map(String::valueOf)
              .collect(Collectors.joining(","));
      try {
        client.call("dpctl/ct-del-limits", List.of(datapath, "zone=" + some));
      } catch (DeviceException e) {
        if (e.kind() != DeviceException.Kind.REJECTED) {
          throw e;
        }
        // What was refused is still there for the next look.
      }
    }
  }

  /** Sets limits, all or some of which may be refused; empty if none was. */
  private String refusal(List<ConnectionLimit> limits)
      throws DeviceException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(datapath));
    limits.forEach(it -> arguments.add("zone=" + it.zone() + ",limit=" + it.connections()));
    try {
      client.call("dpctl/ct-set-limits", arguments);
      return "";
    } catch (DeviceException e) {
      if (e.kind() != DeviceException.Kind.REJECTED) {
        throw e;
      }
      return String.valueOf(e.getMessage());
    }
  }
}
