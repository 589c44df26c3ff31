package io.gatehouse.agent.report;

import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.codec.MeterCodec;
import io.gatehouse.agent.state.MeterKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Lists the meters of a port as the switch has them now, with what they have dropped. */
public final class MeterLister {
  private final OpenFlowClient client;

  public MeterLister(OpenFlowClient client) {
    this.client = client;
  }

  /** One line a meter, in the order of their kinds. */
  public CompletableFuture<List<String>> listOf(int openFlowPort) {
    BiFunction<List<MeterCodec.Found>, List<MeterCodec.Counters>, List<String>> describe =
        (found, counters) -> describe(openFlowPort, found, counters);
    return client.dumpMeters().thenCombine(client.meterCounters(), describe);
  }

  static List<String> describe(
      int openFlowPort, List<MeterCodec.Found> found, List<MeterCodec.Counters> counters) {
    Map<Integer, String> meters = new HashMap<>();
    found.forEach(one -> one.meter().ifPresent(meter -> meters.put(one.id(), meter.toString())));
    Map<Integer, MeterCodec.Counters> counted = new HashMap<>();
    counters.forEach(one -> counted.put(one.id(), one));
    return Arrays.stream(MeterKind.values())
        .filter(kind -> meters.containsKey(kind.id(openFlowPort)))
        .map(kind -> line(kind, kind.id(openFlowPort), meters, counted))
        .toList();
  }

  private static String line(
      MeterKind kind,
      int id,
      Map<Integer, String> meters,
      Map<Integer, MeterCodec.Counters> counted) {
    MeterCodec.Counters counters = counted.getOrDefault(id, new MeterCodec.Counters(id, 0, 0));
    return "%s [%d packets, %d dropped, %s]"
        .formatted(meters.get(id), counters.packets(), counters.dropped(), kind);
  }
}
