package io.gatehouse.control.api;

import io.gatehouse.model.Port;
import io.gatehouse.proto.v1.PortObservation;
import java.util.concurrent.CompletableFuture;

/** Asks a port's DPU what it runs for the port now. */
@FunctionalInterface
public interface PortExplainer {
  /** Reaches no DPU. */
  PortExplainer NONE =
      port ->
          CompletableFuture.failedFuture(
              new UnreachableException(port.dpu() + " is not connected here"));

  /**
   * Asks.
   *
   * @return completes within a bounded time; fails with {@link UnreachableException} if the DPU
   *     cannot be asked
   */
  CompletableFuture<PortObservation> explain(Port port);

  /**
   * The DPU is not connected here, or did not answer in time; the message is fit for the caller.
   */
  final class UnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String reason) {
      super(reason);
    }
  }
}
