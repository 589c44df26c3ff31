package io.gatehouse.control.auth;

import io.grpc.Status;

/** Takes every refused call, for the audit. Must return at once; any thread. */
public interface RefusalLog {
  /**
   * A call was refused.
   *
   * @param actor such as {@code operators/admin}, or {@code address/192.0.2.7} where nobody is
   *     known
   * @param action full name of the RPC
   * @param subject resource that it was about; empty if none is known
   * @param status code and reason; the caller may have been told less. No secret is in it
   */
  void refused(String actor, String action, String subject, Status status);
}
