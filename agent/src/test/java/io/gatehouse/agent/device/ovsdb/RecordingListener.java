package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what a client told, in order, for a test to take with a limit. */
final class RecordingListener implements OvsdbListener {
  private static final long LIMIT_SECONDS = 20;

  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

  record Connected(OvsdbSnapshot snapshot) {}

  record Changed(OvsdbSnapshot snapshot) {}

  record Disconnected(DeviceException cause) {}

  @Override
  public void connected(OvsdbSnapshot snapshot) {
    events.add(new Connected(snapshot));
  }

  @Override
  public void changed(OvsdbSnapshot snapshot) {
    events.add(new Changed(snapshot));
  }

  @Override
  public void disconnected(DeviceException cause) {
    events.add(new Disconnected(cause));
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  /** The next event of this type; others before it are passed over. */
  <T> T next(Class<T> type) throws InterruptedException {
    while (true) {
      Object event = events.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no " + type.getSimpleName() + " came");
      }
      if (type.isInstance(event)) {
        return type.cast(event);
      }
    }
  }
}
