package io.gatehouse.control.decide.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.security.SecurityGroupCommand.CreateGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.DeleteGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.GroupPatch;
import io.gatehouse.control.decide.security.SecurityGroupCommand.UpdateGroup;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SecurityGroupDeciderTest {
  private static final String WEB = "tenants/acme/securityGroups/web";
  private static final String DB = "tenants/acme/securityGroups/db";

  private final World world = new World().tenant("tenants/acme").tenant("tenants/other");

  @Test
  void aGroupIsMadeChangedAndRemoved() {
    world.group(WEB, from(WEB)).group(DB, from(WEB), from(DB));
    world.run(update(DB, new GroupPatch("databases", null), ""));
    SecurityGroup group = world.image().securityGroup(name(DB)).orElseThrow();
    assertThat(group.displayName()).isEqualTo("databases");
    assertThat(group.rules()).containsExactly(from(WEB), from(DB));
    assertThat(group.updatedAt()).isAfter(group.createdAt());
    world.run(update(DB, new GroupPatch(null, List.of()), ""));
    world.run(world.security(new DeleteGroup(name(WEB), "")));
    assertThat(world.image().securityGroups()).containsOnlyKeys(name(DB));
  }

  @Test
  void whatIsThereIsNotMadeAgainAndWhatIsNotThereIsNotFound() {
    world.group(WEB);
    assertThat(refusal(new CreateGroup(name(WEB), "", List.of())).kind())
        .isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(refusal(new DeleteGroup(name(DB), "")).kind()).isEqualTo(Kind.NOT_FOUND);
    SecurityGroupName nowhere = name("tenants/nobody/securityGroups/web");
    assertThat(refusal(new CreateGroup(nowhere, "", List.of())).kind()).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void anOldEtagIsAborted() {
    world.group(WEB);
    String etag = Etag.of(world.image().securityGroup(name(WEB)).orElseThrow());
    world.run(update(WEB, new GroupPatch("new", null), etag));
    assertThat(refusal(new DeleteGroup(name(WEB), etag)).kind()).isEqualTo(Kind.ABORTED);
  }

  @Test
  void aRuleNamesOnlyGroupsThatAreThereAndOfTheSameTenant() {
    RefusedException absent = refusal(new CreateGroup(name(WEB), "", List.of(from(WEB), from(DB))));
    assertThat(absent.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(absent.field()).isEqualTo("rules[1].remote_group");
    world.group("tenants/other/securityGroups/web");
    RefusedException foreign =
        refusal(new CreateGroup(name(WEB), "", List.of(from("tenants/other/securityGroups/web"))));
    assertThat(foreign.kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    assertThat(foreign.field()).isEqualTo("rules[0].remote_group");
  }

  @Test
  void aGroupThatARuleOfAnotherNamesStays() {
    world.group(WEB, from(WEB)).group(DB, from(WEB));
    RefusedException refusal = refusal(new DeleteGroup(name(WEB), ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).endsWith("that name it: " + DB);
  }

  @Test
  void aGroupThatAPortHasStays() {
    world
        .group(WEB)
        .dpu("dpus/a", "192.0.2.1", 1_500)
        .network("tenants/acme/networks/blue", "10.0.0.0/24");
    String port = "tenants/acme/networks/blue/ports/p";
    PortSecurity security = new PortSecurity(List.of(name(WEB)), List.of());
    world.run(world.createPort(port, "dpus/a", "pf0vf0", security));
    RefusedException refusal = refusal(new DeleteGroup(name(WEB), ""));
    assertThat(refusal.kind()).isEqualTo(Kind.FAILED_PRECONDITION);
    assertThat(refusal.reason()).isEqualTo(WEB + " still has ports: " + port);
    world.delete(port).run(world.security(new DeleteGroup(name(WEB), "")));
    assertThat(world.image().securityGroups()).isEmpty();
  }

  @Test
  void theQuotaHolds() {
    world.run(world.createTenant("tenants/small", new TenantQuota(1, 1, 1)));
    world.group("tenants/small/securityGroups/a");
    RefusedException refusal =
        refusal(new CreateGroup(name("tenants/small/securityGroups/b"), "", List.of()));
    assertThat(refusal.kind()).isEqualTo(Kind.RESOURCE_EXHAUSTED);
    assertThat(refusal.reason()).isEqualTo("tenants/small has 1 security groups, its quota is 1");
  }

  @Test
  void aTenantWithGroupsStays() {
    world.group(WEB);
    RefusedException refusal =
        world.refusal(new DeleteTenant(world.request(), new TenantName("acme"), ""));
    assertThat(refusal.reason()).isEqualTo("tenants/acme still has security groups: " + WEB);
  }

  private RefusedException refusal(SecurityCommand command) {
    return world.refusal(world.security(command));
  }

  private io.gatehouse.control.decide.Command update(String group, GroupPatch patch, String etag) {
    return world.security(new UpdateGroup(name(group), patch, etag));
  }

  private static SecurityRule from(String group) {
    return new SecurityRule(Direction.INGRESS, new Traffic.Any(), new Remote.Group(name(group)));
  }

  private static SecurityGroupName name(String name) {
    return SecurityGroupName.parse(name);
  }
}
