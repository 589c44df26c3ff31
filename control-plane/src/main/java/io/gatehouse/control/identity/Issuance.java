package io.gatehouse.control.identity;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.Issued;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.proto.v1.Credential;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Signs a certificate, has the journal take it, and only then gives it away. What is refused, also
 * because somebody was faster, never leaves the process. Any thread.
 */
public final class Issuance {
  private final Sequencer sequencer;
  private final Authorities authorities;
  private final TrustBundles bundles;
  private final InstantSource clock;
  private final Executor executor;

  /**
   * Issues.
   *
   * @param executor makes what goes with a certificate
   */
  public Issuance(
      Sequencer sequencer,
      Authorities authorities,
      TrustBundles bundles,
      InstantSource clock,
      Executor executor) {
    this.executor = executor;
    this.sequencer = sequencer;
    this.authorities = authorities;
    this.bundles = bundles;
    this.clock = clock;
  }

  Image image() {
    return sequencer.image();
  }

  Instant now() {
    return clock.instant();
  }

  TrustBundles bundles() {
    return bundles;
  }

  /**
   * Gives a certificate.
   *
   * @param key to certify; its holder has proved to have it
   * @param command that uses the signed certificate
   * @return fails as {@link Sequencer#submit} does
   */
  CompletableFuture<Credential> give(
      IdentityName identity, PublicKey key, Function<Issued, IdentityCommand> command) {
    Instant now = clock.instant();
    Issued issued = authorities.issue(sequencer.image(), identity, key, now);
    Request request = Request.internal(identity.toString(), now);
    CompletableFuture<Committed> committed =
        sequencer.submit(new Command.OfIdentity(request, command.apply(issued)));
    // Not on the sequencer's thread: revocation lists may have to be signed, perhaps by a module.
    return committed.thenApplyAsync(
        change -> bundles.credential(issued.chain(), change.after(), now), executor);
  }

  /** Gives a certificate that the journal has taken before, once more. */
  CompletableFuture<Credential> giveAgain(List<X509Certificate> chain) {
    return CompletableFuture.supplyAsync(() -> bundles.credential(chain, image(), now()), executor);
  }
}
