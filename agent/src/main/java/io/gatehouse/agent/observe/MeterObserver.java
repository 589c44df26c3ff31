package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.codec.MeterCodec;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.observed.Observed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads the meters of the bridge, and what they have dropped. The switch tells nobody when they
 * change, so what was read counts until {@link #mayHaveChanged()}, which any thread may call.
 */
public final class MeterObserver {
  private static final long TIMEOUT_SECONDS = 30;

  private final OpenFlowClient client;
  private final MeterDrops drops = new MeterDrops();
  private volatile boolean stale = true;
  private MeterView known = new MeterView(Map.of(), Set.of(), 0);

  public MeterObserver(OpenFlowClient client) {
    this.client = client;
  }

  public void mayHaveChanged() {
    stale = true;
  }

  /** Packets dropped by meters of a kind since the start, as of the last look. Any thread. */
  public long dropped(MeterKind kind) {
    return drops.of(kind);
  }

  /** The meters now, or why they are unknown. Blocks for at most half a minute each. */
  public Observed<MeterView> observe() throws InterruptedException {
    if (!stale) {
      return new Observed.Known<>(known);
    }
    stale = false;
    try {
      known = read();
      return new Observed.Known<>(known);
    } catch (ExecutionException | TimeoutException e) {
      stale = true;
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      return new Observed.Unknown<>(
          cause instanceof DeviceException
              ? "the meters of the bridge: " + cause.getMessage()
              : "the meters of the bridge: no answer within " + TIMEOUT_SECONDS + " s");
    }
  }

  private MeterView read() throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<List<MeterCodec.Found>> dump = client.dumpMeters();
    CompletableFuture<List<MeterCodec.Counters>> counters = client.meterCounters();
    CompletableFuture<MeterCodec.Features> features = client.meterFeatures();
    Map<Integer, RateMeter> meters = new HashMap<>();
    Set<Integer> strange = new HashSet<>();
    for (MeterCodec.Found found : get(dump)) {
      found
          .meter()
          .ifPresentOrElse(meter -> meters.put(found.id(), meter), () -> strange.add(found.id()));
    }
    Map<Integer, Long> dropped = new HashMap<>();
    get(counters).forEach(meter -> dropped.put(meter.id(), meter.dropped()));
    drops.seen(dropped);
    MeterCodec.Features can = get(features);
    return new MeterView(meters, strange, can.measures() ? can.max() : 0);
  }

  private static <T> T get(CompletableFuture<T> call)
      throws InterruptedException, ExecutionException, TimeoutException {
    return call.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
