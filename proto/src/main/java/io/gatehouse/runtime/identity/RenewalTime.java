package io.gatehouse.runtime.identity;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * When to renew: at two thirds of the certificate's own life, and up to a tenth of the life later.
 * It depends on the certificate alone, not on when the process was started.
 */
public final class RenewalTime {
  /** How far the control plane puts notBefore back, for clocks that are behind. */
  public static final Duration BACKDATED = Duration.ofMinutes(10);

  private static final int JITTER_PART = 10;

  private RenewalTime() {}

  /**
   * When this certificate is to be replaced.
   *
   * @param random source of the jitter
   */
  public static Instant of(X509Certificate certificate, RandomGenerator random) {
    Instant end = certificate.getNotAfter().toInstant();
    Duration life = Duration.between(issued(certificate), end);
    long jitterNanos = random.nextLong(life.toNanos() / JITTER_PART + 1);
    return end.minus(life.dividedBy(3)).plusNanos(jitterNanos);
  }

  /** When it was issued, by what it says of itself. */
  static Instant issued(X509Certificate certificate) {
    Instant start = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    Instant issued = start.plus(BACKDATED);
    return issued.isBefore(end) ? issued : start;
  }
}
