package io.gatehouse.control;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.runtime.tls.TlsFiles;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** How long the certificates still live on which all others depend (F50); negative once expired. */
final class ExpiryMetrics {
  private final MeterRegistry registry;
  private final InstantSource clock;

  ExpiryMetrics(MeterRegistry registry, InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
  }

  /** The control plane's own certificate. */
  void watch(TlsFiles own) {
    gauge("control_plane", () -> Optional.of(own.certificate().getNotAfter().toInstant()));
  }

  /** Root and signing authority of the newest image. */
  void watch(Supplier<Image> newest) {
    gauge("root", () -> Optional.of(Authorities.root(newest.get()).getNotAfter().toInstant()));
    gauge("authority", () -> newest.get().identities().issuing().map(Authority::notAfter));
  }

  private void gauge(String of, Supplier<Optional<Instant>> end) {
    Gauge.builder("gatehouse.certificate.remaining", () -> secondsTo(end.get()))
        .description("Time until a certificate expires on which others depend")
        .baseUnit("seconds")
        .tag("of", of)
        .register(registry);
  }

  private double secondsTo(Optional<Instant> end) {
    return end.map(at -> (double) Duration.between(clock.instant(), at).toSeconds())
        .orElse(Double.NaN);
  }
}
