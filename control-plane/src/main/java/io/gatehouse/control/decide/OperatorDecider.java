package io.gatehouse.control.decide;

import static java.util.Objects.requireNonNullElse;

import io.gatehouse.control.decide.OperatorCommand.CreateOperator;
import io.gatehouse.control.decide.OperatorCommand.DeleteOperator;
import io.gatehouse.control.decide.OperatorCommand.UpdateOperator;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.IdentityChanged;
import io.gatehouse.control.image.Event.OperatorDeleted;
import io.gatehouse.control.image.Event.OperatorPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.IdentityEvent.IdentityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.TokenWithdrawn;
import io.gatehouse.model.Operator;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.name.OperatorName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Decides commands about operators. There is always a fleet admin, once there was one. */
final class OperatorDecider {
  /** Operators of one tenant, or of the fleet; each is a row of the image and of a listing. */
  private static final int MAX_OPERATORS = 1_000;

  private OperatorDecider() {}

  static List<Event> decide(Image image, OperatorCommand command) {
    if (command instanceof CreateOperator create) {
      return create(image, create);
    }
    if (command instanceof UpdateOperator update) {
      return update(image, update);
    }
    return delete(image, (DeleteOperator) command);
  }

  private static List<Event> create(Image image, CreateOperator command) {
    command.name().tenant().ifPresent(tenant -> Refusals.existing(image.tenant(tenant), tenant));
    Refusals.absent(image.operator(command.name()), command.name());
    checkCount(image, command);
    Instant now = command.request().time();
    return List.of(
        new OperatorPut(
            new Operator(command.name(), command.displayName(), command.role(), now, now)));
  }

  private static List<Event> update(Image image, UpdateOperator command) {
    Operator old = Refusals.existing(image.operator(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Operator changed =
        new Operator(
            old.name(),
            requireNonNullElse(command.patch().displayName(), old.displayName()),
            requireNonNullElse(command.patch().role(), old.role()),
            old.createdAt(),
            command.request().time());
    if (changed.role() != OperatorRole.FLEET_ADMIN) {
      checkNotTheLastAdmin(image, old, "role");
    }
    return List.of(new OperatorPut(changed));
  }

  private static List<Event> delete(Image image, DeleteOperator command) {
    Operator old = Refusals.existing(image.operator(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    checkNotTheLastAdmin(image, old, "name");
    return end(image, old.name());
  }

  /**
   * An operator ends with all it can show: its certificates, and tokens that would get it new ones.
   */
  static List<Event> end(Image image, OperatorName name) {
    IdentityName identity = IdentityName.parse(name.toString());
    List<Event> events = new ArrayList<>();
    events.add(new OperatorDeleted(name));
    image.identities().tokens().values().stream()
        .filter(token -> token.identity().equals(identity))
        .forEach(token -> events.add(new IdentityChanged(new TokenWithdrawn(token.id()))));
    if (image.identities().holders().containsKey(identity)) {
      events.add(new IdentityChanged(new IdentityRevoked(identity, "the operator was deleted")));
    }
    return events;
  }

  private static void checkNotTheLastAdmin(Image image, Operator old, String field) {
    boolean another =
        image.fleetOperators().values().stream()
            .anyMatch(
                operator ->
                    operator.role() == OperatorRole.FLEET_ADMIN
                        && !operator.name().equals(old.name()));
    if (old.role() == OperatorRole.FLEET_ADMIN && !another) {
      throw Refusals.precondition(
          field, old.name() + " is the last fleet admin: make another one first");
    }
  }

  private static void checkCount(Image image, CreateOperator command) {
    int count =
        command
            .name()
            .tenant()
            .map(tenant -> image.operatorsOf(tenant).size())
            .orElseGet(() -> image.fleetOperators().size());
    if (count >= MAX_OPERATORS) {
      throw new RefusedException(
          Kind.RESOURCE_EXHAUSTED,
          "there are " + count + " operators already, the most there may be");
    }
  }
}
