package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.decide.OperatorCommand.CreateOperator;
import io.gatehouse.control.decide.OperatorCommand.DeleteOperator;
import io.gatehouse.control.decide.OperatorCommand.OperatorPatch;
import io.gatehouse.control.decide.OperatorCommand.UpdateOperator;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.TenantName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorDeciderTest {
  private static final Instant TIME = Instant.parse("2026-11-01T00:00:00Z");
  private static final Request REQUEST = Request.internal("operators/test", TIME);
  private static final TenantName ACME = new TenantName("acme");
  private static final OperatorName ADMIN = OperatorName.ofFleet("admin");
  private static final OperatorName ANN = OperatorName.ofFleet("ann");
  private static final OperatorName BOB = OperatorName.ofTenant(ACME, "bob");

  private Image image = Image.EMPTY;

  @BeforeEach
  void fill() {
    run(new CreateOperator(REQUEST, ADMIN, "", OperatorRole.FLEET_ADMIN));
    run(new CreateTenant(REQUEST, ACME, "", TenantQuota.DEFAULT, false));
  }

  @Test
  void anOperatorIsMadeChangedAndRemoved() {
    run(new CreateOperator(REQUEST, BOB, "Bob", OperatorRole.TENANT_VIEWER));
    run(
        new UpdateOperator(
            REQUEST, BOB, new OperatorPatch(null, OperatorRole.TENANT_ADMIN), etag(BOB)));
    assertThat(image.operator(BOB).orElseThrow().role()).isEqualTo(OperatorRole.TENANT_ADMIN);
    assertThat(image.operator(BOB).orElseThrow().displayName()).isEqualTo("Bob");
    assertThat(image.operatorsOf(ACME)).containsOnlyKeys(BOB);
    assertThat(image.fleetOperators()).containsOnlyKeys(ADMIN);
    run(new DeleteOperator(REQUEST, BOB, ""));
    assertThat(image.operator(BOB)).isEmpty();
  }

  @Test
  void theLastFleetAdminStays() {
    run(new CreateOperator(REQUEST, ANN, "", OperatorRole.AUDITOR));
    refused(Kind.FAILED_PRECONDITION, "name", new DeleteOperator(REQUEST, ADMIN, ""));
    UpdateOperator demotion =
        new UpdateOperator(REQUEST, ADMIN, new OperatorPatch(null, OperatorRole.AUDITOR), "");
    refused(Kind.FAILED_PRECONDITION, "role", demotion);
    run(new UpdateOperator(REQUEST, ANN, new OperatorPatch(null, OperatorRole.FLEET_ADMIN), ""));
    run(demotion);
    refused(Kind.FAILED_PRECONDITION, "name", new DeleteOperator(REQUEST, ANN, ""));
  }

  @Test
  void theLastFleetAdminMayStillBeRenamed() {
    run(new UpdateOperator(REQUEST, ADMIN, new OperatorPatch("Ada", null), ""));
    assertThat(image.operator(ADMIN).orElseThrow().displayName()).isEqualTo("Ada");
  }

  @Test
  void aRoleFitsTheNamesPlace() {
    refused(
        Kind.INVALID_ARGUMENT,
        "role",
        new CreateOperator(REQUEST, BOB, "", OperatorRole.FLEET_ADMIN));
    refused(
        Kind.INVALID_ARGUMENT,
        "role",
        new CreateOperator(REQUEST, ANN, "", OperatorRole.TENANT_ADMIN));
    run(new CreateOperator(REQUEST, BOB, "", OperatorRole.TENANT_VIEWER));
    refused(
        Kind.INVALID_ARGUMENT,
        "role",
        new UpdateOperator(REQUEST, BOB, new OperatorPatch(null, OperatorRole.AUDITOR), ""));
  }

  @Test
  void whatIsNotThereCannotBeUsed() {
    refused(
        Kind.NOT_FOUND,
        "name",
        new CreateOperator(
            REQUEST,
            OperatorName.ofTenant(new TenantName("beta"), "bob"),
            "",
            OperatorRole.TENANT_ADMIN));
    refused(Kind.NOT_FOUND, "name", new DeleteOperator(REQUEST, ANN, ""));
    refused(
        Kind.ALREADY_EXISTS,
        "name",
        new CreateOperator(REQUEST, ADMIN, "", OperatorRole.FLEET_ADMIN));
    refused(Kind.ABORTED, "etag", new DeleteOperator(REQUEST, ADMIN, "0123456789abcdef"));
  }

  @Test
  void aTenantTakesItsOperatorsAlong() {
    run(new CreateOperator(REQUEST, BOB, "", OperatorRole.TENANT_ADMIN));
    List<Event> events = run(new DeleteTenant(REQUEST, ACME, ""));
    assertThat(events)
        .containsExactly(new Event.OperatorDeleted(BOB), new Event.TenantDeleted(ACME));
    run(new CreateTenant(REQUEST, ACME, "", TenantQuota.DEFAULT, false));
    assertThat(image.operator(BOB)).as("in a later tenant of that name").isEmpty();
  }

  private String etag(OperatorName name) {
    return Etag.of(image.operator(name).orElseThrow());
  }

  private List<Event> run(Command command) {
    List<Event> events = Decider.decide(image, command);
    image =
        image.apply(
            new Entry(
                image.revision() + 1,
                TIME,
                "operators/test",
                "",
                RequestHash.NONE,
                command.subject(),
                events));
    return events;
  }

  private void refused(Kind kind, String field, Command command) {
    assertThatThrownBy(() -> Decider.decide(image, command))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(kind);
              assertThat(e.field()).isEqualTo(field);
            });
  }
}
