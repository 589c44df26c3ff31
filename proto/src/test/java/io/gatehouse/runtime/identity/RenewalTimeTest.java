package io.gatehouse.runtime.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TestCertificates;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewalTimeTest {
  @TempDir Path directory;

  @Test
  void isTwoThirdsOfTheLifeAndUpToATenthMore() {
    TestCertificates certificates = new TestCertificates(directory);
    certificates.authority("two-days");
    X509Certificate certificate = PemFiles.certificates(directory.resolve("two-days.pem")).get(0);
    Instant end = certificate.getNotAfter().toInstant();
    Duration life = Duration.ofDays(2).minus(RenewalTime.BACKDATED);
    Instant earliest = end.minus(life.dividedBy(3));
    Instant latest = earliest.plus(life.dividedBy(10));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(RenewalTime.of(certificate, random)).isBetween(earliest, latest);
    }
  }

  @Test
  void f36IsTakenFromTheCertificateAlone() {
    TestCertificates certificates = new TestCertificates(directory);
    certificates.authority("ca");
    X509Certificate certificate = PemFiles.certificates(directory.resolve("ca.pem")).get(0);
    assertThat(RenewalTime.of(certificate, new SplittableRandom(9)))
        .as("whenever it is asked")
        .isEqualTo(RenewalTime.of(certificate, new SplittableRandom(9)));
  }
}
