package io.gatehouse.control.decide;

import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityDecider;
import io.gatehouse.control.decide.peering.PeeringDecider;
import io.gatehouse.control.decide.security.SecurityDecider;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RememberedRequest;
import io.gatehouse.model.net.InvalidValueException;
import java.util.List;
import java.util.Optional;

/** Decides any command. */
public final class Decider {
  private static final int MAX_REQUEST_ID_LENGTH = 128;

  private Decider() {}

  /**
   * What the command makes happen.
   *
   * @return the events, at least one
   * @throws RefusedException if a rule is against it
   */
  public static List<Event> decide(Image image, Command command) {
    try {
      return dispatch(image, command);
    } catch (InvalidValueException e) {
      throw RefusedException.of(e);
    }
  }

  /**
   * The change that this very request has already made, if it is a repeat.
   *
   * @throws RefusedException if the id was used for another request
   */
  public static Optional<RememberedRequest> repeated(Image image, Request request) {
    if (request.requestId().isEmpty()) {
      return Optional.empty();
    }
    if (request.requestId().length() > MAX_REQUEST_ID_LENGTH) {
      throw invalidId("is longer than " + MAX_REQUEST_ID_LENGTH + " characters");
    }
    Optional<RememberedRequest> remembered = image.remembered(request.requestId());
    if (remembered.isPresent() && !remembered.get().requestHash().equals(request.hash())) {
      throw invalidId(
          "was used for another request, about "
              + remembered.get().subject()
              + " at revision "
              + remembered.get().revision());
    }
    return remembered;
  }

  private static List<Event> dispatch(Image image, Command command) {
    if (command instanceof TenantCommand tenant) {
      return TenantDecider.decide(image, tenant);
    }
    if (command instanceof NetworkCommand network) {
      return NetworkDecider.decide(image, network);
    }
    if (command instanceof PortCommand port) {
      return PortDecider.decide(image, port);
    }
    if (command instanceof DpuCommand dpu) {
      return DpuDecider.decide(image, dpu);
    }
    if (command instanceof OperatorCommand operator) {
      return OperatorDecider.decide(image, operator);
    }
    if (command instanceof ReleaseVni release) {
      return VniAllocator.release(image, release);
    }
    if (command instanceof Command.OfIdentity identity) {
      return IdentityDecider.decide(image, command.request().time(), identity.identity());
    }
    if (command instanceof Command.OfSecurity security) {
      return SecurityDecider.decide(image, command.request(), security.security());
    }
    if (command instanceof Command.OfPeering peering) {
      return PeeringDecider.decide(image, command.request().time(), peering.peering());
    }
    throw new IllegalArgumentException("no decider for " + command.getClass());
  }

  private static RefusedException invalidId(String reason) {
    return new RefusedException(Kind.INVALID_ARGUMENT, "request_id", reason);
  }
}
