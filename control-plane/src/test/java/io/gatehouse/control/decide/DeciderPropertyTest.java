package io.gatehouse.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.RandomCommands;
import io.gatehouse.control.World;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.NetworkDeleted;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Event.VniReleased;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.SecurityRule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is asked for in whatever order: the rules hold after every entry. */
class DeciderPropertyTest {
  private static final int COMMANDS = 3_000;

  private final World world = new World();
  private final Set<Vni> mustNotBeGiven = new HashSet<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void rulesHold(long seed) {
    RandomCommands commands = new RandomCommands(seed);
    int accepted = 0;
    int peered = 0;
    int limited = 0;
    for (int i = 0; i < COMMANDS; i++) {
      Command command = commands.next();
      String where = "seed " + seed + ", command " + i + ": " + command;
      Image before = world.image();
      try {
        world.run(command).events().forEach(event -> checkVni(event, before, where));
        accepted++;
      } catch (RefusedException e) {
        assertThat(e.reason()).as(where).isNotEmpty();
        continue;
      }
      check(world.image(), where);
      limited += world.image().networks().values().stream().anyMatch(Network::isLowered) ? 1 : 0;
      peered += world.image().peerings().values().stream().anyMatch(Peering::active) ? 1 : 0;
    }
    assertThat(limited).as("entries with lowered networks with seed " + seed).isPositive();
    assertThat(peered).as("entries with peers with seed " + seed).isGreaterThan(accepted / 20);
    assertThat(accepted).as("accepted with seed " + seed).isGreaterThan(COMMANDS / 10);
  }

  /** No VNI twice, and none between the end of its network and its release. */
  private void checkVni(Event event, Image before, String where) {
    if (event instanceof NetworkPut put && before.network(put.network().name()).isEmpty()) {
      assertThat(mustNotBeGiven).as(where).doesNotContain(put.network().vni());
      mustNotBeGiven.add(put.network().vni());
    }
    if (event instanceof NetworkDeleted deleted) {
      assertThat(mustNotBeGiven).as(where).contains(deleted.vni());
    }
    if (event instanceof VniReleased released) {
      mustNotBeGiven.remove(released.vni());
    }
  }

  private static void check(Image image, String where) {
    image.tenants().values().forEach(tenant -> checkQuota(image, tenant, where));
    image.networks().values().forEach(network -> checkNetwork(image, network, where));
    image.dpus().values().forEach(dpu -> checkDpu(image, dpu, where));
    image.securityGroups().values().forEach(group -> checkRemotes(image, group, where));
    image.peerings().values().forEach(peering -> checkPeering(image, peering, where));
    Set<String> macs = new HashSet<>();
    Set<String> addresses = new HashSet<>();
    Set<String> functions = new HashSet<>();
    for (Port port : image.ports().values()) {
      String network = port.name().network() + " ";
      assertThat(image.network(port.name().network())).as(where).isPresent();
      assertThat(image.dpu(port.dpu())).as(where).isPresent();
      assertThat(macs.add(network + port.mac())).as(where).isTrue();
      assertThat(functions.add(port.dpu() + " " + port.function())).as(where).isTrue();
      checkSecurity(image, port, where);
      port.addresses().forEach(ip -> assertThat(addresses.add(network + ip)).as(where).isTrue());
    }
  }

  /** Groups exist, and nobody may speak as another one. */
  private static void checkSecurity(Image image, Port port, String where) {
    for (SecurityGroupName group : port.security().groups()) {
      assertThat(image.securityGroup(group)).as(where).isPresent();
      assertThat(image.membersOf(group)).as(where).containsEntry(port.name(), port.dpu());
    }
    for (Port other : image.portsOf(port.name().network()).values()) {
      if (!other.name().equals(port.name())) {
        assertThat(port.security().allowedPairs())
            .as(where)
            .noneMatch(pair -> other.addresses().stream().anyMatch(pair.addresses()::contains));
      }
    }
  }

  /** Active on both sides or on none; then the two are reached without doubt, and rest together. */
  private static void checkPeering(Image image, Peering peering, String where) {
    NetworkName own = peering.name().network();
    assertThat(image.network(own)).as(where).isPresent();
    List<Peering> back =
        image.peeringsOf(peering.peer()).values().stream()
            .filter(half -> half.peer().equals(own))
            .toList();
    assertThat(back).as(where).hasSize(peering.active() ? 1 : 0).allMatch(Peering::active);
    if (!peering.active()) {
      return;
    }
    assertThat(image.peersOf(own)).as(where).containsOnlyOnce(peering.peer());
    List<NetworkName> together =
        Stream.concat(Stream.of(own), image.peersOf(own).stream()).toList();
    for (NetworkName one : together) {
      for (NetworkName other : together) {
        assertThat(one.equals(other) || apart(image, one, other)).as(where).isTrue();
      }
    }
    assertThat(
            Stream.of(own, peering.peer())
                .flatMap(network -> image.dpusOf(network).stream())
                .map(dpu -> image.dpu(dpu).orElseThrow().vtepAddress().family())
                .distinct())
        .as(where)
        .hasSizeLessThanOrEqualTo(1);
    Set<DpuName> told = image.state().carriers().get(peering.peer());
    assertThat(told == null ? Set.of() : told).as(where).containsAll(image.dpusOf(own));
  }

  private static boolean apart(Image image, NetworkName one, NetworkName other) {
    List<Cidr> taken = image.network(other).orElseThrow().cidrs();
    return image.network(one).orElseThrow().cidrs().stream()
        .noneMatch(cidr -> taken.stream().anyMatch(cidr::overlaps));
  }

  private static void checkRemotes(Image image, SecurityGroup group, String where) {
    for (SecurityRule rule : group.rules()) {
      if (rule.remote() instanceof Remote.Group remote) {
        assertThat(image.securityGroup(remote.group())).as(where).isPresent();
      }
    }
  }

  private static void checkQuota(Image image, Tenant tenant, String where) {
    assertThat(image.networksOf(tenant.name()))
        .as(where)
        .hasSizeLessThanOrEqualTo(tenant.quota().maxNetworks());
    assertThat(image.portsOf(tenant.name()))
        .as(where)
        .hasSizeLessThanOrEqualTo(tenant.quota().maxPorts());
  }

  private static void checkNetwork(Image image, Network network, String where) {
    assertThat(image.tenant(network.name().tenant())).as(where).isPresent();
    assertThat(image.networkOf(network.vni())).as(where).contains(network.name());
    Set<DpuName> carriers =
        image.portsOf(network.name()).values().stream().map(Port::dpu).collect(Collectors.toSet());
    assertThat(image.dpusOf(network.name())).as(where).isEqualTo(carriers);
    assertThat(network.pathLimit().map(limit -> Set.of(limit.from(), limit.to())))
        .as(where)
        .matches(pair -> pair.isEmpty() || carriers.containsAll(pair.get()));
    if (carriers.isEmpty()) {
      return;
    }
    Set<Dpu> dpus =
        carriers.stream().map(name -> image.dpus().get(name)).collect(Collectors.toSet());
    assertThat(dpus.stream().map(dpu -> dpu.vtepAddress().family()).distinct())
        .as(where)
        .hasSize(1);
    int fits =
        dpus.stream()
            .mapToInt(
                dpu ->
                    EncapsulationStack.vxlan(dpu.vtepAddress().family())
                        .largestInnerBytes(dpu.underlayMtuBytes()))
            .min()
            .orElseThrow();
    int requested = network.requestedMtuBytes();
    int unlimited = requested == 0 ? fits : requested;
    assertThat(unlimited).as(where).isLessThanOrEqualTo(fits);
    network
        .pathLimit()
        .ifPresent(limit -> assertThat(limit.unlimitedBytes()).as(where).isEqualTo(unlimited));
    int goal =
        network
            .pathLimit()
            .filter(limit -> requested == 0)
            .map(limit -> Math.max(limit.largestBytes(), network.leastMtuBytes()))
            .orElse(unlimited);
    assertThat(goal).as(where).isLessThanOrEqualTo(unlimited);
    assertThat(network.effectiveMtuBytes())
        .as(where)
        .isLessThanOrEqualTo(goal)
        .isLessThanOrEqualTo(network.receiveMtuBytes());
    Network settled = settled(image, network);
    assertThat(settled.effectiveMtuBytes()).as(where).isEqualTo(goal);
    assertThat(settled.isMtuChanging()).as(where).isFalse();
  }

  /** As it becomes once every DPU has confirmed; in two rounds at most. */
  private static Network settled(Image image, Network network) {
    Map<DpuName, MtuChange.Facts> facts =
        image.dpus().values().stream()
            .collect(
                Collectors.toMap(
                    Dpu::name,
                    dpu -> new MtuChange.Facts(image.revision(), dpu.underlayMtuBytes())));
    Network next = network;
    for (int round = 0; round < 2; round++) {
      Network before = next;
      next =
          MtuChange.of(image, before, facts)
              .map(change -> change.end(before.updatedAt()))
              .orElse(before);
    }
    return next;
  }

  private static void checkDpu(Image image, Dpu dpu, String where) {
    assertThat(image.dpuAt(dpu.vtepAddress())).as(where).contains(dpu.name());
    assertThat(image.portsOf(dpu.name()).values())
        .as(where)
        .containsExactlyElementsOf(
            image.ports().values().stream().filter(port -> port.dpu().equals(dpu.name())).toList());
  }
}
