package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.NewIdentity;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates for one minute, over more than a minute. */
class ShortLivesIT {
  @TempDir Path directory;

  @Test
  void aSuccessorIsGoodWhenItsPredecessorEndsAndAnExpiredOneFindsBack() throws Exception {
    try (PkiLab lab = new PkiLab(directory, Duration.ofMinutes(1))) {
      ManagedChannel admin = lab.admin();
      HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
      Instant end = machine.certificate().getNotAfter().toInstant();
      assertThat(end).isBefore(Instant.now().plusSeconds(61));
      passes(end.minusSeconds(30));
      NewIdentity next = new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT);
      passes(end.plusSeconds(1));
      assertThatThrownBy(() -> new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT))
          .hasMessageContaining("UNAVAILABLE");
      Instant nextEnd = next.held().certificate().getNotAfter().toInstant();
      NewIdentity last = new CertificateClient(lab.channel(next.held())).renew(PkiLab.LIMIT);
      passes(nextEnd.plusSeconds(1));
      passes(last.held().certificate().getNotAfter().toInstant().plusSeconds(1));
      NewIdentity back =
          lab.controlPlane().enrollment().recover(last.held(), Instant.now(), PkiLab.LIMIT);
      assertThat(new CertificateClient(lab.channel(back.held())).renew(PkiLab.LIMIT)).isNotNull();
    }
  }

  private static void passes(Instant time) {
    Eventually.holds("it is " + time, () -> Instant.now().isAfter(time));
  }
}
