package io.gatehouse.runtime.tls;

import io.grpc.Status;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a call failed, for an operator. gRPC says "io exception" of every failed handshake; what has
 * failed is the innermost cause, and where certificates and clocks disagree, both times are told.
 */
public final class FailureText {
  private static final int MAX_CAUSES = 16;

  private FailureText() {}

  /**
   * The text of a status.
   *
   * @param now by the clock of this machine
   */
  public static String of(Status status, Instant now) {
    StringBuilder text = new StringBuilder(status.getCode().name());
    text.append(": ").append(Optional.ofNullable(status.getDescription()).orElse(""));
    Throwable cause = status.getCause();
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof CertificateNotYetValidException) {
        text.append("; the server's certificate is not valid yet by the clock of this machine, ")
            .append(now)
            .append(": is it behind?");
      } else if (cause instanceof CertificateExpiredException) {
        text.append("; the server's certificate has expired by the clock of this machine, ")
            .append(now);
      }
      if (cause.getCause() == null || cause.getCause().equals(cause)) {
        text.append("; ").append(cause.getMessage());
        break;
      }
      cause = cause.getCause();
    }
    return text.toString();
  }
}
