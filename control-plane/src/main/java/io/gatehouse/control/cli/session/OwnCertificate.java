package io.gatehouse.control.cli.session;

import io.gatehouse.runtime.identity.EnrollmentClient;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.IdentityException;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.RenewalTime;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The certificate that login got: renewed on use after two thirds of its life, and replaced when it
 * has expired. Certificates from elsewhere are left alone. What fails is told on standard error,
 * and the command goes on as far as it gets.
 */
final class OwnCertificate {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String FILE = "identity.pem";

  private final ContextFile context;
  private final Terminal terminal;

  OwnCertificate(ContextFile context, Terminal terminal) {
    this.context = context;
    this.terminal = terminal;
  }

  /** Replaces a certificate whose time is over, before anything is called with it. */
  void recoverIfExpired() {
    Optional<IdentityFiles> files = files();
    if (files.isEmpty() || context.enrollmentTarget().isEmpty()) {
      return;
    }
    HeldIdentity held = files.get().read();
    Instant now = terminal.clock().instant();
    if (now.isBefore(held.certificate().getNotAfter().toInstant())) {
      return;
    }
    EnrollmentClient client =
        new EnrollmentClient(context.enrollmentTarget().get(), context.serverName());
    try {
      keep(files.get(), client.recover(held, now, LIMIT));
    } catch (StatusRuntimeException | IdentityException | IOException e) {
      tell("the certificate has expired and cannot be replaced", e);
    }
  }

  /** Renews over a connection that shows the current certificate. */
  void renewIfDue(Connection connection) {
    Optional<IdentityFiles> files = files();
    if (files.isEmpty()) {
      return;
    }
    HeldIdentity held = files.get().read();
    Instant due = RenewalTime.of(held.certificate(), new SplittableRandom());
    if (terminal.clock().instant().isBefore(due)) {
      return;
    }
    try {
      keep(files.get(), connection.renewedCertificate(LIMIT));
    } catch (StatusRuntimeException | IdentityException | IOException e) {
      tell("the certificate ends at " + held.certificate().getNotAfter().toInstant(), e);
    }
  }

  private void keep(IdentityFiles files, NewIdentity fresh) throws IOException {
    files.save(fresh);
  }

  private void tell(String what, Exception why) {
    terminal.err().println("gatehouse: " + what + ": " + why.getMessage());
  }

  private Optional<IdentityFiles> files() {
    if (!(context.proof() instanceof Proof.Certificate certificate)) {
      return Optional.empty();
    }
    TlsPaths tls = certificate.paths();
    Path folder = tls.key().getParent();
    boolean ours = tls.key().endsWith(FILE) && tls.certificate().equals(tls.key());
    return ours ? Optional.ofNullable(folder).map(IdentityFiles::new) : Optional.empty();
  }
}
