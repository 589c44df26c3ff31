package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowChange;
import io.gatehouse.agent.device.openflow.codec.PacketIn;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Keeps what it hears, as text and as values, for a test to wait for. */
final class RecordingListener implements OpenFlowListener {
  /** One call. */
  record Event(String what, Object value) {}

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  @Override
  public void connected(long datapathId) {
    events.add(new Event("connected", datapathId));
  }

  @Override
  public void disconnected(DeviceException cause) {
    events.add(new Event("disconnected", cause));
  }

  @Override
  public void flowsChanged(List<FlowChange> changes) {
    changes.forEach(change -> events.add(new Event("flow", change)));
  }

  @Override
  public void flowsUnknown() {
    events.add(new Event("unknown", ""));
  }

  @Override
  public void portChanged(PortDescription.Reason reason, PortDescription port) {
    events.add(new Event("port " + reason, port));
  }

  @Override
  public void packetArrived(PacketIn packet) {
    events.add(new Event("packet", packet));
  }

  Event await(String what) throws InterruptedException {
    return await(event -> event.what().equals(what), what);
  }

  FlowChange awaitFlow() throws InterruptedException {
    return (FlowChange) await("flow").value();
  }

  /** The next event that fits; those before it are dropped. */
  Event await(Predicate<Event> wanted, String name) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Event event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (event == null) {
        throw new AssertionError("nothing heard of " + name);
      }
      if (wanted.test(event)) {
        return event;
      }
    }
  }

  boolean isQuiet() {
    return events.isEmpty();
  }
}
