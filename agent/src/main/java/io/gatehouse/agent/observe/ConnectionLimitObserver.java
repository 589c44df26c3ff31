package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.sysfs.TrackerSize;
import io.gatehouse.agent.device.unixctl.UnixctlClient;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.Observed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the limits of the zones of the connection tracker, and what it takes in all (ovs-dpctl(8),
 * ct-get-limits, ct-get-maxconns; for the kernel's its own setting). Nobody tells when they change,
 * so what was read counts until {@link #mayHaveChanged()}, which any thread may call.
 */
public final class ConnectionLimitObserver {
  private static final String METHOD = "dpctl/ct-get-limits";
  private static final String CAPACITY = "dpctl/ct-get-maxconns";
  private static final String NOT_SUPPORTED = "Operation not supported";
  private static final String DEFAULT = "default limit=";

  /** Twelve digits hold what 32 bits can say, and fit into a long. */
  private static final Pattern ZONE =
      Pattern.compile("zone=([0-9]{1,5}),limit=([0-9]{1,12}),count=[0-9]{1,12}");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,12}");

  private final UnixctlClient client;
  private final Site.Datapath datapath;
  private final TrackerSize kernel;
  private final KeptReading<ConnectionLimitView> reading =
      new KeptReading<>("the limits of connections", this::read);

  /**
   * Makes an observer.
   *
   * @param client of the observing thread
   * @param kernel how much the kernel's tracker takes
   */
  public ConnectionLimitObserver(UnixctlClient client, Site.Datapath datapath, TrackerSize kernel) {
    this.client = client;
    this.datapath = datapath;
    this.kernel = kernel;
  }

  public void mayHaveChanged() {
    reading.mayHaveChanged();
  }

  /** The limits now, or why they are unknown. Blocks for at most two calls of the client. */
  public Observed<ConnectionLimitView> observe() throws InterruptedException {
    return reading.observe();
  }

  private ConnectionLimitView read() throws DeviceException, InterruptedException {
    try {
      ConnectionLimitView limits = parse(call(METHOD));
      return new ConnectionLimitView(limits.connections(), capacity(), Optional.empty());
    } catch (DeviceException e) {
      if (e.kind() == Kind.REJECTED && String.valueOf(e.getMessage()).contains(NOT_SUPPORTED)) {
        return new ConnectionLimitView(
            Map.of(),
            OptionalLong.empty(),
            Optional.of("this datapath cannot limit the connections of a zone"));
      }
      throw e;
    }
  }

  /** What a tracker does not say is not known, and no reason to lose the limits. */
  private OptionalLong capacity() throws InterruptedException {
    try {
      if (datapath == Site.Datapath.SYSTEM) {
        return kernel.connections();
      }
      String text = call(CAPACITY).strip();
      return NUMBER.matcher(text).matches()
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    } catch (DeviceException e) {
      return OptionalLong.empty();
    }
  }

  /** A daemon that was started again is found by the second call: the first has lost the old. */
  private String call(String method) throws DeviceException, InterruptedException {
    try {
      return client.call(method, List.of(datapath.backer()));
    } catch (DeviceException e) {
      if (e.kind() != Kind.UNREACHABLE) {
        throw e;
      }
      return client.call(method, List.of(datapath.backer()));
    }
  }

  static ConnectionLimitView parse(String text) throws DeviceException {
    Map<Integer, Long> connections = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher zone = ZONE.matcher(line);
      if (zone.matches()) {
        long limit = Long.parseLong(zone.group(2));
        // Zero stands for none.
        if (limit > 0) {
          connections.put(Integer.valueOf(zone.group(1)), limit);
        }
      } else if (!line.isBlank() && !line.startsWith(DEFAULT)) {
        throw new DeviceException(Kind.PROTOCOL, METHOD + ": no limit: " + shown(line));
      }
    }
    return new ConnectionLimitView(connections, OptionalLong.empty(), Optional.empty());
  }

  private static String shown(String line) {
    return line.substring(0, Math.min(line.length(), 100)).replaceAll("\\p{Cntrl}", " ");
  }
}
