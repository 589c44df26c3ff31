package io.gatehouse.control.auth;

import io.gatehouse.control.limit.SourceAddress;
import io.grpc.Status;
import java.net.InetAddress;

/** Takes refused calls for the audit. Returns at once, from any thread, and never throws. */
@FunctionalInterface
public interface RefusalLog {
  /** Keeps nothing. */
  RefusalLog NONE = (actor, action, subject, status) -> {};

  /**
   * Somebody was refused.
   *
   * @param actor who, such as {@code operators/admin}, or {@code address/192.0.2.7} where nobody is
   *     known
   * @param action the RPC, or what was tried instead of one
   * @param subject resource that it was about; empty if none is known
   * @param status why; its text must hold no secret
   */
  void refused(String actor, String action, String subject, Status status);

  /** A peer has failed before it could call. */
  default void refusedHandshake(InetAddress peer, String reason) {
    refused(
        SourceAddress.of(peer).actor(),
        "TLS handshake",
        "",
        Status.UNAUTHENTICATED.withDescription(reason));
  }
}
