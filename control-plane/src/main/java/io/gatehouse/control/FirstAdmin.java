package io.gatehouse.control;

import io.gatehouse.control.decide.OperatorCommand.CreateOperator;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.OperatorName;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Makes {@code operators/admin} a fleet admin when there is none: without one nobody could make
 * any. It enrols with the token that AdminToken writes.
 */
final class FirstAdmin {
  /** Who is said to have made it. */
  static final String ACTOR = "system/first-start";

  private static final OperatorName NAME = OperatorName.ofFleet("admin");
  private static final long LIMIT_SECONDS = 30;

  private FirstAdmin() {}

  /**
   * Looks, and makes it.
   *
   * @throws JournalException if the journal does not take it
   */
  static void ensure(Sequencer commands, InstantSource clock) {
    if (isThere(commands.image())) {
      return;
    }
    CreateOperator command =
        new CreateOperator(
            Request.internal(ACTOR, clock.instant()),
            NAME,
            "First fleet admin",
            OperatorRole.FLEET_ADMIN);
    try {
      commands.submit(command).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // Another control plane that starts just now was faster.
      if (!(e.getCause() instanceof RefusedException)) {
        throw new JournalException("the first fleet admin cannot be written", e);
      }
    } catch (TimeoutException e) {
      throw new JournalException("the first fleet admin cannot be written in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JournalException("interrupted", e);
    }
  }

  private static boolean isThere(Image image) {
    return image.fleetOperators().values().stream()
        .anyMatch(operator -> operator.role() == OperatorRole.FLEET_ADMIN);
  }
}
