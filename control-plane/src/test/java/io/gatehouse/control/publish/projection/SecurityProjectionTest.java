package io.gatehouse.control.publish.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.RandomCommands;
import io.gatehouse.control.World;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What DPUs are told of security groups, and who is told of a change. */
final class SecurityProjectionTest {
  private static final String BLUE = "tenants/acme/networks/blue/ports/";
  private static final String WEB = "tenants/acme/securityGroups/web";
  private static final String DB = "tenants/acme/securityGroups/db";
  private static final String UNUSED = "tenants/acme/securityGroups/unused";

  private final World world =
      new World()
          .tenant("tenants/acme")
          .dpu("dpus/a", "192.0.2.1", 1_500)
          .dpu("dpus/b", "192.0.2.2", 1_500)
          .network("tenants/acme/networks/blue", "10.0.0.0/24");

  @Test
  void aDpuKnowsTheGroupsOfItsOwnPortsAndNoOthers() {
    SecurityRule fromWeb =
        new SecurityRule(
            Direction.INGRESS, new Traffic.Any(), new Remote.Group(SecurityGroupName.parse(WEB)));
    world.group(UNUSED).group(WEB).group(DB, fromWeb);
    world.run(world.createPort(BLUE + "web", "dpus/a", "pf0vf0", groups(WEB)));
    world.run(world.createPort(BLUE + "db", "dpus/b", "pf0vf0", groups(DB)));
    assertThat(groupsOf("a")).containsExactly(WEB);
    assertThat(groupsOf("b")).as("not the one that its rule names").containsExactly(DB);
    assertThat(policy("b"))
        .filteredOn(RemotePortPolicy.class::isInstance)
        .extracting(port -> ((RemotePortPolicy) port).security())
        .as("but who is in that one")
        .containsExactly(groups(WEB));
    assertThat(policy("b"))
        .filteredOn(LocalPortPolicy.class::isInstance)
        .extracting(port -> ((LocalPortPolicy) port).security())
        .containsExactly(groups(DB));
  }

  @Test
  void aSuspendedTenantsGroupsAreNotThere() {
    world.group(WEB);
    world.run(world.createPort(BLUE + "web", "dpus/a", "pf0vf0", groups(WEB)));
    world.run(
        new UpdateTenant(
            world.request(),
            new TenantName("acme"),
            new TenantPatch(null, null, null, null, true),
            ""));
    assertThat(policy("a")).extracting(PolicyResource::key).containsExactly("dpus/a");
  }

  @Test
  void aGroupOnTwoPortsIsThereOnce() {
    world.group(WEB);
    world.run(world.createPort(BLUE + "w1", "dpus/a", "pf0vf0", groups(WEB)));
    world.run(world.createPort(BLUE + "w2", "dpus/a", "pf0vf1", groups(WEB)));
    assertThat(groupsOf("a")).containsExactly(WEB);
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34})
  void whoseProjectionChangesIsConcernedAndHasARevisionToReach(long seed) {
    RandomCommands commands = new RandomCommands(seed);
    World random = new World();
    int changes = 0;
    for (int i = 0; i < 4_000; i++) {
      Image before = random.image();
      Entry entry;
      try {
        entry = random.run(commands.next());
      } catch (RefusedException e) {
        continue;
      }
      Image after = random.image();
      Set<DpuName> concerned = AffectedDpus.of(before, after, entry);
      for (DpuName dpu : after.dpus().keySet()) {
        String where = "seed " + seed + ", command " + i + ", " + dpu + ": " + entry.events();
        boolean changed = !projected(before, dpu).equals(projected(after, dpu));
        changes += changed ? 1 : 0;
        assertThat(changed && !concerned.contains(dpu)).as(where).isFalse();
        assertThat(after.desiredRevision(dpu))
            .as(where)
            .isEqualTo(concerned.contains(dpu) ? entry.revision() : before.desiredRevision(dpu));
      }
    }
    assertThat(changes).as("something was there to be told").isGreaterThan(100);
  }

  private static Set<PolicyResource> projected(Image image, DpuName dpu) {
    return new HashSet<>(DpuProjector.project(image, dpu));
  }

  private List<PolicyResource> policy(String dpu) {
    return DpuProjector.project(world.image(), new DpuName(dpu));
  }

  private List<String> groupsOf(String dpu) {
    return policy(dpu).stream()
        .filter(SecurityGroupPolicy.class::isInstance)
        .map(PolicyResource::key)
        .toList();
  }

  private static PortSecurity groups(String... names) {
    return new PortSecurity(
        List.of(names).stream().map(SecurityGroupName::parse).toList(), List.of());
  }
}
