package io.gatehouse.control.identity;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand.UsePolicyKey;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.sequencer.Sequencer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that all control planes of a journal sign policy with one key: an agent that moved to
 * one with another key would refuse all that it sends.
 */
public final class PolicyKeyCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyKeyCheck.class);
  private static final String ACTOR = "system/pki";

  private PolicyKeyCheck() {}

  /**
   * Blocks until the journal names the key; the sequencer is at work.
   *
   * @param keys public halves, the one that signs first
   * @throws PkiException with both fingerprints, if the journal names another key
   */
  public static void run(Sequencer sequencer, List<Der> keys, InstantSource clock) {
    Der newest = keys.get(0);
    if (sequencer.image().identities().policyKey().equals(Optional.of(newest))) {
      return;
    }
    Optional<Der> previous = keys.stream().skip(1).findFirst();
    Request request = Request.internal(ACTOR, clock.instant());
    try {
      sequencer.submit(new Command.OfIdentity(request, new UsePolicyKey(newest, previous))).join();
      LOG.atInfo().addKeyValue("sha256", newest.fingerprint()).log("policy key in use");
    } catch (CompletionException e) {
      if (e.getCause() instanceof RefusedException refused) {
        throw new PkiException(refused.reason(), e);
      }
      throw e;
    }
  }
}
