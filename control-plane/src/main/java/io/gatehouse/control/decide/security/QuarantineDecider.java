package io.gatehouse.control.decide.security;

import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.security.QuarantineCommand.SetQuarantine;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.QuarantineReleased;
import io.gatehouse.control.image.Event.QuarantineSet;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.List;
import java.util.Optional;

/**
 * Decides commands about quarantines. A tenant's operator has a say over quarantines of its own
 * ports, and none over one that the fleet's operators have set.
 */
final class QuarantineDecider {
  private static final String FIELD = "target";

  private QuarantineDecider() {}

  static List<Event> decide(Image image, Request request, QuarantineCommand command) {
    QuarantineTarget target = command.target();
    Optional<StandingQuarantine> standing = Optional.ofNullable(image.quarantines().get(target));
    checkCaller(command, standing);
    if (command instanceof SetQuarantine set) {
      checkExists(image, target);
      return List.of(
          new QuarantineSet(
              new StandingQuarantine(
                  target,
                  set.quarantine(),
                  request.actor(),
                  command.caller().isEmpty(),
                  request.time())));
    }
    if (standing.isEmpty()) {
      throw new RefusedException(Kind.NOT_FOUND, FIELD, target + " has no quarantine of its own");
    }
    return List.of(new QuarantineReleased(target));
  }

  private static void checkCaller(
      QuarantineCommand command, Optional<StandingQuarantine> standing) {
    if (command.caller().isEmpty()) {
      return;
    }
    QuarantineTarget target = command.target();
    if (!target.tenant().equals(command.caller())) {
      throw new RefusedException(Kind.NOT_FOUND, FIELD, target + " does not exist");
    }
    if (!(target instanceof QuarantineTarget.OfPort)) {
      throw denied(target + " as a whole is cut off by those who run the fleet");
    }
    if (standing.map(StandingQuarantine::byFleet).orElse(false)) {
      throw denied("the quarantine of " + target + " was set by those who run the fleet");
    }
  }

  private static void checkExists(Image image, QuarantineTarget target) {
    if (target instanceof QuarantineTarget.OfPort of) {
      Refusals.existing(image.port(of.port()), FIELD, target);
    } else if (target instanceof QuarantineTarget.OfTenant of) {
      Refusals.existing(image.tenant(of.owner()), FIELD, target);
    } else if (target instanceof QuarantineTarget.OfDpu of) {
      Refusals.existing(image.dpu(of.dpu()), FIELD, target);
    }
  }

  private static RefusedException denied(String reason) {
    return new RefusedException(Kind.PERMISSION_DENIED, FIELD, reason);
  }
}
