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
  private final KeptReading<MeterView> reading =
      new KeptReading<>("the meters of the bridge", this::read);

  public MeterObserver(OpenFlowClient client) {
    this.client = client;
  }

  public void mayHaveChanged() {
    reading.mayHaveChanged();
  }

  /** Packets dropped by meters of a kind since the start, as of the last look. Any thread. */
  public long dropped(MeterKind kind) {
    return drops.of(kind);
  }

  /** The meters now, or why they are unknown. Blocks for at most half a minute each. */
  public Observed<MeterView> observe() throws InterruptedException {
    return reading.observe();
  }

  private MeterView read() throws DeviceException, InterruptedException {
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

  private static <T> T get(CompletableFuture<T> call) throws DeviceException, InterruptedException {
    try {
      return call.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      String reason = "no answer within " + TIMEOUT_SECONDS + " s";
      throw new DeviceException(DeviceException.Kind.UNREACHABLE, reason, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DeviceException cause) {
        throw cause;
      }
      String reason = String.valueOf(e.getCause());
      throw new DeviceException(DeviceException.Kind.UNREACHABLE, reason, e);
    }
  }
}
