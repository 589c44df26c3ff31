package io.gatehouse.agent.plan.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.plan.security.GroupPlanner.Member;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is a member of a group, and by what a packet of a member is known. */
class GroupCatalogTest {
  private static final SecurityGroupPolicy DB =
      Groups.group("acme/db", Groups.in(Groups.ANY, Groups.members("acme/web")));

  @Test
  void aMemberIsKnownByItsAddressInItsOwnNetworkOnly() {
    List<PolicyResource> resources =
        List.of(
            DB,
            Groups.group("acme/web"),
            Policies.network("acme/blue", 100, "10.0.0.0/24"),
            Policies.network("acme/green", 200, "10.1.0.0/24"),
            Groups.with(
                Policies.localPort("acme/blue/a", "f0", "02:00:00:00:00:01", "10.0.0.1"),
                "acme/web"),
            // A host of a peer of green may have 10.0.0.1 as well: it is in no group of acme.
            Groups.with(
                Policies.remotePort("acme/green/b", "dpu-2", "02:00:00:00:00:02", "10.1.0.2"),
                "acme/web"));

    List<Member> members =
        GroupCatalog.of(Policy.of(1, resources)).inputs(DB).members().get(Groups.name("acme/web"));

    assertThat(members)
        .containsExactlyInAnyOrder(
            new Member(100, Cidr.parse("10.0.0.1/32")), new Member(200, Cidr.parse("10.1.0.2/32")));
  }
}
