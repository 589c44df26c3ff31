package io.gatehouse.runtime.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private static String of(Throwable cause) {
    return FailureText.of(Status.UNAVAILABLE.withDescription("io exception").withCause(cause), NOW);
  }

  @Test
  void theInnermostCauseIsTold() {
    assertThat(FailureText.of(Status.NOT_FOUND, NOW)).isEqualTo("NOT_FOUND: ");
    assertThat(of(new IOException("outer", new IOException("connection refused"))))
        .isEqualTo("UNAVAILABLE: io exception; connection refused");
  }

  @Test
  @DisplayName("F38: where clocks and certificates disagree, the own clock is told")
  void clocks() {
    assertThat(of(new IOException("x", new CertificateNotYetValidException("NotBefore: later"))))
        .contains("not valid yet by the clock of this machine, " + NOW + ": is it behind?")
        .endsWith("NotBefore: later");
    assertThat(of(new CertificateExpiredException("NotAfter: earlier")))
        .contains("has expired by the clock of this machine, " + NOW);
  }

  @Test
  void causesWithoutEndAreCutOff() {
    IOException first = new IOException("first");
    first.initCause(new IOException("second", first));
    assertThat(of(first)).isEqualTo("UNAVAILABLE: io exception");
  }
}
