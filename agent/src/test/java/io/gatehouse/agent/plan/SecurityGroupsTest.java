package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.CtState;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.plan.PacketWalker.Delivery;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connections walked through the flows of random groups, against the rules as they are written. */
final class SecurityGroupsTest {
  private static final int ROUNDS = 150;
  private static final int PORTS = 3;
  private static final int GROUPS = 3;

  /** Ports of one network with random groups. */
  private static final class World {
    private final SplittableRandom random;
    private final List<SecurityGroupPolicy> groups = new ArrayList<>();
    private final List<LocalPortPolicy> ports = new ArrayList<>();

    World(long seed) {
      random = new SplittableRandom(seed);
      RandomPolicies policies = new RandomPolicies(random);
      for (int group = 0; group < GROUPS; group++) {
        Set<SecurityRule> rules = new LinkedHashSet<>();
        for (int rule = random.nextInt(8); rule > 0; rule--) {
          rules.add(policies.rule("t"));
        }
        groups.add(Groups.group("t/g" + group, rules.toArray(new SecurityRule[0])));
      }
      for (int port = 0; port < PORTS; port++) {
        ports.add(Groups.with(port(port), names()));
      }
    }

    private static LocalPortPolicy port(int number) {
      int host = number + 1;
      return Policies.localPort(
          "t/n/p" + number,
          "f" + number,
          "02:00:00:00:00:0" + host,
          "10.0.0." + host,
          "fd00::" + host);
    }

    private String[] names() {
      List<String> names = new ArrayList<>();
      for (int group = 0; group < GROUPS; group++) {
        if (random.nextInt(2) == 0) {
          names.add("t/g" + group);
        }
      }
      return names.toArray(new String[0]);
    }

    FlowPlan plan() {
      return plan(groups);
    }

    FlowPlan plan(List<SecurityGroupPolicy> rules) {
      List<PolicyResource> resources = new ArrayList<>(ports);
      resources.addAll(rules);
      resources.add(Policies.network("t/n", 7, "10.0.0.0/24", "fd00::/64"));
      Map<String, String> devices = new HashMap<>();
      Map<String, Integer> numbers = new HashMap<>();
      Map<String, PortZone> zones = new HashMap<>();
      for (int port = 0; port < PORTS; port++) {
        devices.put("f" + port, "rep" + port);
        numbers.put("rep" + port, number(port));
        zones.put("rep" + port, new PortZone(port + 1, "uid-1"));
      }
      Facts facts =
          new Facts(devices, numbers, Map.of(), Map.of(), zones, Map.of(), Optional.empty());
      Site site = RandomPolicies.SITE;
      return PolicyPlanner.plan(Policy.of(1, resources), facts, site, FlowPlan.EMPTY).flows();
    }

    static int number(int port) {
      return port + 10;
    }

    /** The rules as written: whether a port with groups may open, or be opened to. */
    boolean allows(int port, int other, Direction direction, Opening opening) {
      Set<Object> mine = new HashSet<>(ports.get(port).security().groups());
      return mine.isEmpty()
          || groups.stream()
              .filter(group -> mine.contains(group.name()))
              .flatMap(group -> group.rules().stream())
              .anyMatch(
                  rule ->
                      rule.direction() == direction
                          && opening.is(rule.traffic())
                          && isRemote(rule.remote(), other, opening));
    }

    private boolean isRemote(Remote remote, int other, Opening opening) {
      if (remote instanceof Remote.Prefix prefix) {
        return prefix.cidr().contains(opening.address(other));
      }
      return !(remote instanceof Remote.Group group)
          || ports.get(other).security().groups().contains(group.group());
    }
  }

  /** The first packet of a connection; for ICMP the ports are type and code. */
  private record Opening(boolean v4, int protocol, int source, int destination) {
    static Opening random(SplittableRandom random) {
      int port = 77 + random.nextInt(9);
      return switch (random.nextInt(4)) {
        case 0 -> new Opening(true, 1, random.nextInt(2) * 8, 0);
        case 1 -> new Opening(random.nextBoolean(), 17, 40_000, port);
        case 2 -> plain(random);
        default -> new Opening(random.nextBoolean(), 6, 40_000, port);
      };
    }

    /** In IPv6 nothing has the number 0: it is that of an extension header. */
    private static Opening plain(SplittableRandom random) {
      boolean v4 = random.nextBoolean();
      return new Opening(v4, v4 && random.nextBoolean() ? 0 : 47, 0, 0);
    }

    IpAddress address(int port) {
      return IpAddress.parse((v4 ? "10.0.0." : "fd00::") + (port + 1));
    }

    boolean is(Traffic traffic) {
      if (traffic instanceof Traffic.Ports ports) {
        return ports.transport().protocol() == protocol
            && ports.firstPort() <= destination
            && destination <= ports.lastPort();
      }
      if (traffic instanceof Traffic.Icmp icmp) {
        return protocol == 1 && v4 && icmp.type().orElse(source) == source;
      }
      return !(traffic instanceof Traffic.Protocol number) || number.number() == protocol;
    }

    Packet packet(World world, int from, int to) {
      LocalPortPolicy sender = world.ports.get(from);
      return Packet.ip(World.number(from), sender.mac(), world.ports.get(to).mac(), address(from))
          .with(v4 ? Field.IP_DST : Field.IPV6_DST, Packet.bits(address(to)))
          .with(Field.IP_PROTO, Bits.of(protocol))
          .with(Field.UDP_SRC, Bits.of(source))
          .with(Field.UDP_DST, Bits.of(destination));
    }
  }

  private interface Check {
    void check(String what, World world, Opening opening, int from, int to);
  }

  private static void everyPair(Check check) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      World world = new World(seed);
      for (int from = 0; from < PORTS; from++) {
        for (int to = 0; to < PORTS; to++) {
          Opening opening = Opening.random(world.random);
          if (from != to) {
            String what = "seed %d: %s from %d to %d".formatted(seed, opening, from, to);
            check.check(what, world, opening, from, to);
          }
        }
      }
    }
  }

  private static boolean reaches(
      FlowPlan plan, Packet packet, int to, UnaryOperator<Packet> track) {
    List<Delivery> got = new PacketWalker(plan, track).walk(packet);
    return got.stream().map(Delivery::port).toList().equals(List.of(World.number(to)));
  }

  private static boolean isAllowed(World world, Opening opening, int from, int to) {
    return world.allows(from, to, Direction.EGRESS, opening)
        && world.allows(to, from, Direction.INGRESS, opening);
  }

  @Test
  void aConnectionIsOpenedWhereARuleOfEachEndAllowsIt() {
    int[] counts = new int[2];
    everyPair(
        (what, world, opening, from, to) -> {
          boolean allowed = isAllowed(world, opening, from, to);
          counts[allowed ? 1 : 0]++;
          assertThat(reaches(world.plan(), opening.packet(world, from, to), to, Packet::opening))
              .as(what)
              .isEqualTo(allowed);
        });
    assertThat(counts[0]).as("openings that were refused").isGreaterThan(ROUNDS / 2);
    assertThat(counts[1]).as("openings that were allowed").isGreaterThan(ROUNDS / 2);
  }

  @Test
  @DisplayName("F34: what answers a connection passes as long as its rules stand, and not longer")
  void answersAreJudgedByTheRulesOfTheOpening() {
    everyPair(
        (what, world, opening, from, to) -> {
          Packet opened = opening.packet(world, from, to).opening();
          UnaryOperator<Packet> answers =
              packet -> {
                for (Field field : Field.values()) {
                  if (field.text().startsWith("ct_") && field != Field.CT_STATE) {
                    packet.with(field, opened.get(field));
                  }
                }
                int state = CtState.TRACKED | CtState.REPLY | CtState.ESTABLISHED;
                return packet.with(Field.CT_STATE, Bits.of(state));
              };
          // Its own ports say nothing: an ICMP error about the connection has none.
          Packet answer =
              opening
                  .packet(world, to, from)
                  .with(Field.UDP_SRC, Bits.of(1))
                  .with(Field.UDP_DST, Bits.of(2));
          assertThat(reaches(world.plan(), answer, from, answers))
              .as(what)
              .isEqualTo(isAllowed(world, opening, from, to));
        });
  }

  @Test
  void whatIsNoValidConnectionIsGone() {
    everyPair(
        (what, world, opening, from, to) -> {
          boolean tracked =
              !world.ports.get(from).security().groups().isEmpty()
                  || !world.ports.get(to).security().groups().isEmpty();
          UnaryOperator<Packet> invalid =
              packet ->
                  packet.opening().with(Field.CT_STATE, Bits.of(CtState.TRACKED | CtState.INVALID));
          assertThat(reaches(world.plan(), opening.packet(world, from, to), to, invalid))
              .as(what)
              .isEqualTo(!tracked);
        });
  }

  @Test
  @DisplayName("F33: rules that overlap give the same flows in whatever order they come")
  void theOrderOfRulesMeansNothing() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      World world = new World(seed);
      List<SecurityGroupPolicy> shuffled = new ArrayList<>();
      for (SecurityGroupPolicy group : world.groups) {
        List<SecurityRule> rules = new ArrayList<>(group.rules());
        Collections.shuffle(rules, new Random(seed));
        shuffled.add(new SecurityGroupPolicy(group.name(), rules));
      }
      assertThat(flows(world.plan(shuffled))).as("seed %d", seed).isEqualTo(flows(world.plan()));
    }
  }

  private static Set<Flow> flows(FlowPlan plan) {
    Set<Flow> flows = new HashSet<>();
    plan.fragments().values().forEach(fragment -> flows.addAll(fragment.flows()));
    return flows;
  }
}
