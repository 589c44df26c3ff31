package io.gatehouse.control.decide.security;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import java.util.List;

/** Decides commands about what ports may do. */
public final class SecurityDecider {
  private SecurityDecider() {}

  /**
   * What the command makes happen.
   *
   * @throws RefusedException if a rule is against it
   */
  public static List<Event> decide(Image image, Request request, SecurityCommand command) {
    if (command instanceof QuarantineCommand quarantine) {
      return QuarantineDecider.decide(image, request, quarantine);
    }
    return SecurityGroupDecider.decide(image, request.time(), (SecurityGroupCommand) command);
  }
}
