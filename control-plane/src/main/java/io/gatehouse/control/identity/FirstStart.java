package io.gatehouse.control.identity;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand.EstablishRoot;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.Authorities.Founded;
import io.gatehouse.control.sequencer.Sequencer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the authorities where the journal has none, and checks that the keys here are its own. */
public final class FirstStart {
  private static final Logger LOG = LoggerFactory.getLogger(FirstStart.class);
  private static final String ACTOR = "system/pki";

  private FirstStart() {}

  /**
   * Blocks until the journal has a root; the sequencer is at work.
   *
   * @throws io.gatehouse.control.pki.PkiException if the keys here are not the journal's
   */
  public static void run(Sequencer sequencer, Authorities authorities, InstantSource clock) {
    if (sequencer.image().identities().root().isEmpty()) {
      found(sequencer, authorities, clock.instant());
    }
    authorities.check(sequencer.image().identities());
  }

  private static void found(Sequencer sequencer, Authorities authorities, Instant now) {
    Founded founded = authorities.found(now);
    Request request = Request.internal(ACTOR, now);
    try {
      sequencer
          .submit(
              new Command.OfIdentity(
                  request, new EstablishRoot(founded.root(), founded.authority())))
          .join();
      LOG.atInfo().addKeyValue("authority", founded.authority().id()).log("authorities made");
    } catch (CompletionException e) {
      // Another control plane was faster: the check says what to do.
      if (!(e.getCause() instanceof RefusedException)) {
        throw e;
      }
    }
  }
}
