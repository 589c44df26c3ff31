package io.gatehouse.agent.apply;

import io.gatehouse.agent.device.DeviceException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a device, within a limit. */
final class Waiting {
  private Waiting() {}

  /**
   * The result of a call.
   *
   * @param what names the call in the message of a failure
   */
  static <T> T get(CompletableFuture<T> call, Duration limit, String what)
      throws DeviceException, InterruptedException {
    try {
      return call.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DeviceException cause) {
        throw cause;
      }
      throw new IllegalStateException(what, e);
    } catch (TimeoutException e) {
      throw new DeviceException(
          DeviceException.Kind.UNREACHABLE,
          what + ": no answer within " + limit.toSeconds() + " s",
          e);
    }
  }
}
