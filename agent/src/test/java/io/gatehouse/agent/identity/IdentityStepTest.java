package io.gatehouse.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.TestAuthority;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class IdentityStepTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant DUE = START.plusSeconds(600);
  private static final Instant END = START.plusSeconds(900);
  private static final Optional<X509Certificate> CERTIFICATE =
      Optional.of(
          new TestAuthority("root").identity("spiffe://t/dpu/d1", START, END).certificate());

  private static IdentityStep at(Instant now) {
    return IdentityStep.of(false, CERTIFICATE, DUE, now);
  }

  @Test
  @DisplayName("F36: what is due depends on the certificate and the clock alone")
  void aLife() {
    assertThat(at(START.minusSeconds(1))).isEqualTo(IdentityStep.CLOCK_BEHIND);
    assertThat(at(START)).isEqualTo(IdentityStep.NOTHING);
    assertThat(at(DUE.minusMillis(1))).isEqualTo(IdentityStep.NOTHING);
    assertThat(at(DUE)).isEqualTo(IdentityStep.RENEW);
    assertThat(at(END)).isEqualTo(IdentityStep.RENEW);
    assertThat(at(END.plusMillis(1))).isEqualTo(IdentityStep.RECOVER);
  }

  @Test
  void withoutACertificateATokenIsAwaited() {
    assertThat(IdentityStep.of(false, Optional.empty(), Instant.MAX, START))
        .isEqualTo(IdentityStep.WAIT);
  }

  @Test
  void aTokenIsUsedWhateverElseThereIs() {
    for (Instant now : new Instant[] {START.minusSeconds(1), START, DUE, END.plusSeconds(1)}) {
      assertThat(IdentityStep.of(true, CERTIFICATE, DUE, now)).isEqualTo(IdentityStep.ENROLL);
    }
    assertThat(IdentityStep.of(true, Optional.empty(), Instant.MAX, START))
        .isEqualTo(IdentityStep.ENROLL);
  }
}
