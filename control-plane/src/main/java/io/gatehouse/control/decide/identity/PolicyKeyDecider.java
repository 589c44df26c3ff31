package io.gatehouse.control.decide.identity;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.UsePolicyKey;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.control.image.identity.IdentityEvent.PolicyKeyPut;
import java.util.List;
import java.util.Optional;

/** Decides which key signs policy: one for all control planes of a journal. */
final class PolicyKeyDecider {
  private PolicyKeyDecider() {}

  static List<IdentityEvent> use(Image image, UsePolicyKey command) {
    Optional<Der> current = image.identities().policyKey();
    boolean follows =
        current.isEmpty()
            || current.get().equals(command.newest())
            || current.equals(command.previous());
    if (!follows) {
      throw new RefusedException(
          Kind.FAILED_PRECONDITION,
          "policy.key here is "
              + command.newest().fingerprint()
              + ", and the journal's is "
              + current.get().fingerprint()
              + ": copy pki.directory of a control plane that works; if the key was replaced, the"
              + " one before it must be policy-previous.key");
    }
    return List.of(new PolicyKeyPut(command.newest()));
  }
}
