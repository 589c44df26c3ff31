package io.gatehouse.control.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.testing.TestPki;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationCheckTest {
  private static final String EXPIRED = "the certificate has expired";

  @TempDir private Path directory = Path.of("");

  @Test
  void aConnectionDoesNotOutliveItsCertificate() {
    X509Certificate certificate = new TestPki(directory).dpu("d1").certificate();
    Instant end = certificate.getNotAfter().toInstant();
    // The authority is not the image's, which is another reason.
    assertThat(at(end.minusSeconds(1)).refusal(certificate)).get().isNotEqualTo(EXPIRED);
    assertThat(at(end.plusSeconds(1)).refusal(certificate)).contains(EXPIRED);
  }

  private static RevocationCheck at(Instant now) {
    return new RevocationCheck(() -> Image.EMPTY, TestPki.TRUST_DOMAIN, InstantSource.fixed(now));
  }
}
