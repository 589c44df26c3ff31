package io.gatehouse.agent.apply;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.codec.MeterCodec.Command;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.change.MeterChange;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Writes meters. A bundle takes none, so each is a request of its own; some are on their way. */
public final class MeterApplier {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int AT_ONCE = 32;

  private final OpenFlowClient client;

  public MeterApplier(OpenFlowClient client) {
    this.client = client;
  }

  /**
   * Adds and modifies meters.
   *
   * @return what was refused, by the meter's id
   */
  public Map<Integer, String> open(MeterChange change)
      throws DeviceException, InterruptedException {
    Writing writing = new Writing();
    for (RateMeter meter : change.adds()) {
      writing.add(meter.id(), client.writeMeter(Command.ADD, meter));
    }
    for (RateMeter meter : change.modifies()) {
      writing.add(meter.id(), client.writeMeter(Command.MODIFY, meter));
    }
    return writing.refused();
  }

  /** Deletes meters that no flow uses any more. */
  public void close(MeterChange change) throws DeviceException, InterruptedException {
    Writing writing = new Writing();
    for (int id : change.deletes()) {
      writing.add(id, client.deleteMeter(id));
    }
    // What was refused is still there for the next look.
    writing.refused();
  }

  /** Requests on their way, and what became of those before. */
  private static final class Writing {
    private final Map<Integer, CompletableFuture<Void>> calls = new LinkedHashMap<>();
    private final Map<Integer, String> refused = new TreeMap<>();

    void add(int id, CompletableFuture<Void> call) throws DeviceException, InterruptedException {
      calls.put(id, call);
      if (calls.size() == AT_ONCE) {
        await();
      }
    }

    Map<Integer, String> refused() throws DeviceException, InterruptedException {
      await();
      return refused;
    }

    private void await() throws DeviceException, InterruptedException {
      for (Map.Entry<Integer, CompletableFuture<Void>> call : calls.entrySet()) {
        try {
          Waiting.get(call.getValue(), LIMIT, "meter " + call.getKey());
        } catch (DeviceException e) {
          if (e.kind() != DeviceException.Kind.REJECTED) {
            throw e;
          }
          refused.put(call.getKey(), e.getMessage());
        }
      }
      calls.clear();
    }
  }
}
