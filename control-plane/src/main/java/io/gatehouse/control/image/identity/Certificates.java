package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.pcollections.TreePMap;

/**
 * Certificates that may still be valid, by serial number and by the end of their life.
 *
 * @param byEnd the same ones; the first to expire comes first
 */
record Certificates(
    TreePMap<String, CertificateRecord> bySerial, TreePMap<End, CertificateRecord> byEnd) {
  static final Certificates NONE = new Certificates(TreePMap.empty(), TreePMap.empty());

  /** An expired one is remembered for a while: clocks of control planes differ. */
  private static final Duration GRACE = Duration.ofHours(1);

  record End(Instant notAfter, String serialNumber) implements Comparable<End> {
    private static final Comparator<End> ORDER =
        Comparator.comparing(End::notAfter).thenComparing(End::serialNumber);

    static End of(CertificateRecord certificate) {
      return new End(certificate.notAfter(), certificate.serialNumber());
    }

    @Override
    public int compareTo(End other) {
      return ORDER.compare(this, other);
    }
  }

  Certificates plus(CertificateRecord certificate) {
    return new Certificates(
        bySerial.plus(certificate.serialNumber(), certificate),
        byEnd.plus(End.of(certificate), certificate));
  }

  Certificates withoutExpired(Instant now) {
    Certificates left = this;
    while (!left.byEnd.isEmpty()) {
      CertificateRecord first = left.byEnd.firstEntry().getValue();
      if (now.isBefore(first.notAfter().plus(GRACE))) {
        return left;
      }
      left =
          new Certificates(
              left.bySerial.minus(first.serialNumber()), left.byEnd.minus(End.of(first)));
    }
    return left;
  }

  Certificates revoked(IdentityName identity, Instant time) {
    Predicate<CertificateRecord> concerned =
        certificate -> certificate.identity().equals(identity) && certificate.revokedAt().isEmpty();
    List<CertificateRecord> found = bySerial.values().stream().filter(concerned).toList();
    Certificates next = this;
    for (CertificateRecord certificate : found) {
      next = next.plus(certificate.revoked(time));
    }
    return next;
  }
}
