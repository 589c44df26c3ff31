package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.state.observed.Observed;
import org.jspecify.annotations.Nullable;

/**
 * What was read from a device that tells nobody when it changes: it counts until {@link
 * #mayHaveChanged()}, which any thread may call, and a failed read is tried again at the next look.
 * {@link #observe()} is called by one thread.
 */
final class KeptReading<T> {
  private final String what;
  private final Reader<T> reader;
  private volatile boolean stale = true;
  private @Nullable T known;

  /** Reads the device. */
  interface Reader<T> {
    T read() throws DeviceException, InterruptedException;
  }

  /**
   * Nothing was read yet.
   *
   * @param what is read, to say so where it cannot be
   */
  KeptReading(String what, Reader<T> reader) {
    this.what = what;
    this.reader = reader;
  }

  void mayHaveChanged() {
    stale = true;
  }

  /** What the device has, or why that is unknown. Blocks as long as the reader does. */
  Observed<T> observe() throws InterruptedException {
    T value = known;
    if (!stale && value != null) {
      return new Observed.Known<>(value);
    }
    // Before the read: a change while it goes on is read at the next look.
    stale = false;
    try {
      value = reader.read();
      known = value;
      return new Observed.Known<>(value);
    } catch (DeviceException e) {
      stale = true;
      return new Observed.Unknown<>(what + ": " + e.getMessage());
    }
  }
}
