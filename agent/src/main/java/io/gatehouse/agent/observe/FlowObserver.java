package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowEntry;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.StrangeFlows;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.observed.Observed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads the flows of the bridge. What was read stays known until it may have changed: the flows of
 * single owners are then read again by their exact cookies, or all of them.
 *
 * <p>{@link #mayHaveChanged(Collection)} and {@link #allMayHaveChanged()} may be called from any
 * thread; {@link #observe} from one.
 */
public final class FlowObserver {
  /** Above this many owners one dump of everything is cheaper than one request each. */
  private static final int MAX_SINGLE_READS = 32;

  private static final long TIMEOUT_SECONDS = 30;

  private final OpenFlowClient client;
  private FlowView known = FlowView.EMPTY;
  // Guarded by "this".
  private final Set<Long> stale = new TreeSet<>();
  private boolean allStale = true;

  public FlowObserver(OpenFlowClient client) {
    this.client = client;
  }

  /** The flows with these cookies are to be read again. */
  public synchronized void mayHaveChanged(Collection<Long> cookies) {
    stale.addAll(cookies);
  }

  /** All flows are to be read again. */
  public synchronized void allMayHaveChanged() {
    allStale = true;
  }

  /** The flows now, or why they are unknown. Blocks for at most half a minute. */
  public Observed<FlowView> observe() throws InterruptedException {
    List<Long> cookies;
    boolean all;
    synchronized (this) {
      cookies = List.copyOf(stale);
      all = allStale || cookies.size() > MAX_SINGLE_READS;
      stale.clear();
      allStale = false;
    }
    try {
      if (all) {
        known = readAll();
      } else if (!cookies.isEmpty()) {
        known = readSome(cookies);
      }
      return new Observed.Known<>(known);
    } catch (ExecutionException | TimeoutException e) {
      allMayHaveChanged();
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      return new Observed.Unknown<>(
          cause instanceof DeviceException
              ? "the flows of the bridge: " + cause.getMessage()
              : "the flows of the bridge: no answer within " + TIMEOUT_SECONDS + " s");
    }
  }

  private FlowView readAll() throws InterruptedException, ExecutionException, TimeoutException {
    Reading reading = new Reading(new HashMap<>(), new HashSet<>());
    reading.add(client.dumpFlows(FlowFilter.ALL).get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    return reading.view();
  }

  private FlowView readSome(List<Long> cookies)
      throws InterruptedException, ExecutionException, TimeoutException {
    // All requests are on their way before the first answer is awaited.
    List<CompletableFuture<FlowDump>> dumps =
        cookies.stream().map(cookie -> client.dumpFlows(FlowFilter.ofCookie(cookie))).toList();
    Reading reading = new Reading(new HashMap<>(known.flows()), new HashSet<>(known.strange()));
    cookies.forEach(reading.flows()::remove);
    reading.strange().removeIf(some -> cookies.contains(some.cookie()));
    for (CompletableFuture<FlowDump> dump : dumps) {
      reading.add(dump.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }
    return reading.view();
  }

  private record Reading(Map<Long, List<Flow>> flows, Set<StrangeFlows> strange) {
    void add(FlowDump dump) {
      for (FlowEntry entry : dump.entries()) {
        if (entry.isPlain()) {
          flows
              .computeIfAbsent(entry.flow().cookie(), cookie -> new ArrayList<>())
              .add(entry.flow());
        } else {
          strange.add(new StrangeFlows(entry.flow().table(), entry.flow().cookie()));
        }
      }
      // Above the last table are the switch's own flows, which a filter by cookie brings to light.
      dump.unreadable().stream()
          .filter(flow -> flow.table() <= Flow.MAX_TABLE)
          .forEach(flow -> strange.add(new StrangeFlows(flow.table(), flow.cookie())));
    }

    FlowView view() {
      return new FlowView(flows, strange);
    }
  }
}
