package io.gatehouse.control.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.PortCommand.DeletePort;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.control.decide.security.SecurityGroupCommand.CreateGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.DeleteGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.GroupPatch;
import io.gatehouse.control.decide.security.SecurityGroupCommand.UpdateGroup;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three DPUs: a and b share the network blue, c has the network red of another tenant. */
class AffectedDpusTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String RED = "tenants/other/networks/red";

  private final World world =
      new World()
          .tenant("tenants/acme")
          .tenant("tenants/other")
          .dpu("dpus/a", "192.0.2.1", 1_500)
          .dpu("dpus/b", "192.0.2.2", 1_500)
          .dpu("dpus/c", "192.0.2.3", 1_500)
          .network(BLUE, "10.0.0.0/24")
          .network(RED, "10.0.0.0/24")
          .port(BLUE + "/ports/a", "dpus/a", 0)
          .port(BLUE + "/ports/b", "dpus/b", 0)
          .port(RED + "/ports/c", "dpus/c", 0);

  @Test
  void aNewPortConcernsTheDpusOfItsNetwork() {
    concerns(world.createPort(BLUE + "/ports/a2", "dpus/a", "pf0vf1"), "a", "b");
    concerns(world.createPort(RED + "/ports/c2", "dpus/c", "pf0vf1"), "c");
  }

  @Test
  void aMoveConcernsTheOldAndTheNewDpu() {
    concerns(
        update(
            "b",
            new PortPatch(null, new DpuName("c"), "pf0vf9", null, null, null, null, null, null)),
        "a",
        "b",
        "c");
  }

  @Test
  void aRemovedPortConcernsItsDpuToo() {
    concerns(new DeletePort(world.request(), PortName.parse(BLUE + "/ports/b"), ""), "a", "b");
  }

  @Test
  void aDisplayNameConcernsNobody() {
    concerns(update("b", new PortPatch("new", null, null, null, null, null, null, null, null)));
    concerns(
        new UpdateNetwork(
            world.request(),
            NetworkName.parse(BLUE),
            new NetworkPatch("new", null, null, null, null),
            ""));
    concerns(new UpdateDpu(world.request(), new DpuName("a"), named("new"), ""));
    concerns(
        new UpdateTenant(
            world.request(),
            new TenantName("acme"),
            new TenantPatch("new", null, null, null, null),
            ""));
  }

  @Test
  void anMtuConcernsTheDpusOfTheNetwork() {
    concerns(
        new UpdateNetwork(
            world.request(),
            NetworkName.parse(BLUE),
            new NetworkPatch(null, null, null, 1_400, null),
            ""),
        "a",
        "b");
  }

  @Test
  void aVtepConcernsAllWhoShareANetworkWithIt() {
    DpuPatch patch = new DpuPatch(null, IpAddress.parse("192.0.2.99"), null, null);
    concerns(new UpdateDpu(world.request(), new DpuName("a"), patch, ""), "a", "b");
  }

  @Test
  void aNewAndARemovedDpuConcernThemselves() {
    concerns(world.createDpu("dpus/d", "192.0.2.4", 1_500), "d");
    assertThat(world.image().desiredRevision(new DpuName("d"))).isEqualTo(world.image().revision());
    concerns(new DeleteDpu(world.request(), new DpuName("d"), ""), "d");
    assertThat(world.image().desiredRevision(new DpuName("d"))).isZero();
  }

  @Test
  void aSuspendedTenantConcernsTheDpusOfItsNetworks() {
    concerns(
        new UpdateTenant(
            world.request(),
            new TenantName("acme"),
            new TenantPatch(null, null, null, null, true),
            ""),
        "a",
        "b");
  }

  @Test
  void aGroupConcernsTheDpusWithAPortThatHasIt() {
    SecurityGroupName web = SecurityGroupName.parse("tenants/acme/securityGroups/web");
    concerns(world.security(new CreateGroup(web, "", List.of())));
    PortPatch joined = new PortPatch(null, null, null, null, null, null, List.of(web), null, null);
    concerns(update("b", joined), "a", "b");
    SecurityRule rule =
        new SecurityRule(Direction.EGRESS, new Traffic.Any(), new Remote.Anywhere());
    concerns(world.security(new UpdateGroup(web, new GroupPatch(null, List.of(rule)), "")), "b");
    concerns(world.security(new UpdateGroup(web, new GroupPatch("named", null), "")));
    PortPatch left = new PortPatch(null, null, null, null, null, null, List.of(), null, null);
    concerns(update("b", left), "a", "b");
    concerns(world.security(new DeleteGroup(web, "")));
  }

  private UpdatePort update(String port, PortPatch patch) {
    return new UpdatePort(
        world.request(), PortName.parse(BLUE + "/ports/" + port), patch, "", KnownFunctions.NONE);
  }

  private static DpuPatch named(String displayName) {
    return new DpuPatch(displayName, null, null, null);
  }

  private void concerns(Command command, String... dpus) {
    Image before = world.image();
    Entry entry = world.run(command);
    Image after = world.image();
    assertThat(AffectedDpus.of(before, after, entry))
        .extracting(DpuName::dpu)
        .containsExactly(dpus);
    for (DpuName dpu : after.dpus().keySet()) {
      boolean concerned = List.of(dpus).contains(dpu.dpu());
      assertThat(after.desiredRevision(dpu))
          .as(dpu.toString())
          .isEqualTo(concerned ? entry.revision() : before.desiredRevision(dpu));
    }
  }
}
