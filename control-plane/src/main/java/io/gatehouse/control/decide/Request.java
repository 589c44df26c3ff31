package io.gatehouse.control.decide;

import io.gatehouse.control.image.RequestHash;
import java.time.Instant;

/**
 * Who asks, when, and under which id.
 *
 * @param actor such as {@code operators/admin}, or {@code system/...} for the control plane itself
 * @param requestId chosen by the caller; empty: not idempotent
 * @param hash of the whole request, to recognise a repeat
 * @param time by the control plane's clock
 */
public record Request(String actor, String requestId, RequestHash hash, Instant time) {

  /** A request of the control plane itself. */
  public static Request internal(String actor, Instant time) {
    return new Request(actor, "", RequestHash.NONE, time);
  }
}
