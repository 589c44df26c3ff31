package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.FakeDevices.Call;
import io.gatehouse.agent.fixture.FakeDevices.Fault;
import io.gatehouse.agent.fixture.FakeDevices.Part;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever happened on the way, the end depends on the last policy and the machine alone. */
final class ReconcileSequenceTest {
  private static final int MAX_ROUNDS = 20;
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final PolicyResource OTHER = Policies.network("b/n", 8, "10.0.0.0/24");
  private static final PolicyResource PEER = Policies.vtep("dpu-1", "192.0.2.2");

  private static final PolicyResource GROUP =
      Groups.group("a/g", Groups.in(Groups.tcp(80, 89), Groups.members("a/g")));

  /** A state of the policy by its name. */
  private enum State {
    EMPTY(),
    ONE_PORT(NETWORK, port("a/n/p", "pf0vf0", 1)),
    TWO_PORTS(NETWORK, port("a/n/p", "pf0vf0", 1), port("a/n/q", "pf0vf1", 2)),
    MOVED(NETWORK, port("a/n/p", "pf0vf1", 1), port("a/n/q", "pf0vf0", 2)),
    OTHER_TENANT(OTHER, port("b/n/p", "pf0vf0", 1)),
    CLOSED(NETWORK, Policies.disabled(port("a/n/p", "pf0vf0", 1))),
    REMOTE(
        NETWORK,
        PEER,
        port("a/n/p", "pf0vf0", 1),
        Policies.remotePort("a/n/q", "dpu-1", mac(2), "10.0.0.2")),
    CAME_HOME(NETWORK, PEER, port("a/n/p", "pf0vf0", 1), port("a/n/q", "pf0vf2", 2)),
    GROUPED(
        NETWORK,
        GROUP,
        Groups.with(port("a/n/p", "pf0vf0", 1), "a/g"),
        Groups.with(port("a/n/q", "pf0vf1", 2), "a/g")),
    REBORN(
        NETWORK,
        GROUP,
        Groups.reborn(Groups.with(port("a/n/p", "pf0vf0", 1), "a/g"), "uid-2"),
        port("a/n/q", "pf0vf1", 2)),
    OTHER_VNI(Policies.network("a/n", 9, "10.0.0.0/24"), port("a/n/p", "pf0vf0", 1));

    // Never written after the constructor.
    @SuppressWarnings("ImmutableEnumChecker")
    private final PolicyResource[] resources;

    State(PolicyResource... resources) {
      this.resources = resources;
    }

    private static io.gatehouse.model.policy.LocalPortPolicy port(
        String name, String function, int host) {
      return Policies.localPort(name, function, mac(host), "10.0.0." + host);
    }

    private static String mac(int host) {
      return "02:00:00:00:00:0" + host;
    }
  }

  /** A machine with an agent that has seen some states. */
  private static final class World {
    private final FakeDevices devices = new FakeDevices();
    private Reconciler reconciler;
    private Target target = Target.NONE;
    private long revision;

    World() {
      for (int function = 0; function < 6; function++) {
        devices.plug("pf0vf" + function, "rep" + function);
      }
      restartAgent();
    }

    private void restartAgent() {
      reconciler = new Reconciler(RandomPolicies.SITE, devices, new CountingMeter());
    }

    void aim(Policy policy) {
      target = new Target(policy, List.of(), 0);
    }

    void aim(State state) {
      revision++;
      aim(Policy.of(revision, Arrays.asList(state.resources)));
    }

    void rounds(int count) throws InterruptedException {
      for (int i = 0; i < count; i++) {
        reconciler.run(target, 0);
      }
    }

    void settle(String how) throws InterruptedException {
      for (int i = 0; i < MAX_ROUNDS; i++) {
        if (reconciler.run(target, 0).outcome() == Outcome.IN_FORCE) {
          check(how);
          return;
        }
      }
      throw new AssertionError(how + ": not in force after " + MAX_ROUNDS + " rounds");
    }

    private void check(String how) {
      Plan fresh =
          PolicyPlanner.plan(
              target.policy(), reconciler.view().facts(), RandomPolicies.SITE, FlowPlan.EMPTY);
      assertThat(devices.flows().holdsExactly(fresh.flows())).as(how).isTrue();
      assertThat(devices.meters().holdsExactly(fresh.flows())).as(how).isTrue();
      assertThat(devices.bridge().devices()).as(how).isEqualTo(fresh.bridge().ports().keySet());
      assertThat(devices.guarded())
          .as(how)
          .containsExactlyInAnyOrderElementsOf(fresh.kernel().guarded());
      assertThat(devices.bridge().restoreWait()).as(how).isFalse();
    }
  }

  private static void walk(List<State> states, int roundsEach) throws InterruptedException {
    World world = new World();
    for (State state : states) {
      world.aim(state);
      world.rounds(roundsEach);
    }
    for (State last : State.values()) {
      world.aim(last);
      world.settle(states + " with " + roundsEach + " rounds each, then " + last);
    }
  }

  private static List<List<State>> expansions() {
    List<State> states = List.of(State.values());
    List<List<State>> expanded = new ArrayList<>();
    expanded.add(states);
    List<State> reversed = new ArrayList<>(states);
    Collections.reverse(reversed);
    expanded.add(reversed);
    List<State> doubled = new ArrayList<>();
    List<State> withEmpties = new ArrayList<>();
    for (State state : states) {
      doubled.addAll(List.of(state, state));
      withEmpties.addAll(List.of(State.EMPTY, state));
    }
    expanded.add(doubled);
    expanded.add(withEmpties);
    for (int seed = 0; seed < 8; seed++) {
      List<State> shuffled = new ArrayList<>(states);
      Collections.shuffle(shuffled, new Random(seed));
      expanded.add(shuffled);
    }
    return expanded;
  }

  @Test
  @DisplayName("F17, F19: the end does not depend on the path")
  void theEndDoesNotDependOnThePath() throws InterruptedException {
    for (List<State> states : expansions()) {
      // No round at all between two states: the path is squashed into its end.
      for (int roundsEach = 0; roundsEach <= 3; roundsEach++) {
        walk(states, roundsEach);
      }
    }
  }

  @Test
  @DisplayName("each call fails once, not made or made and not heard of; it converges all the same")
  void oneFailureOfEachCall() throws InterruptedException {
    for (State from : State.values()) {
      for (State to : State.values()) {
        for (Call call : Call.values()) {
          for (Fault fault : Fault.values()) {
            World world = new World();
            world.aim(from);
            world.settle("start");
            world.devices.failOnce(call, fault);
            world.aim(to);
            world.settle(from + " to " + to + ", " + call + " fails " + fault);
          }
        }
      }
    }
  }

  @Test
  @DisplayName("the agent dies after any number of rounds, in any state of its work")
  void theAgentDiesAnywhere() throws InterruptedException {
    for (State from : State.values()) {
      for (State to : State.values()) {
        for (int rounds = 1; rounds <= 4; rounds++) {
          World world = new World();
          world.aim(from);
          world.rounds(rounds);
          world.restartAgent();
          world.aim(to);
          world.settle(from + " for " + rounds + " rounds, then " + to);
        }
      }
    }
  }

  @Test
  @DisplayName("F15, F16: random policies, faults, restarts and tampering never open and converge")
  void chance() throws InterruptedException {
    for (long seed = 0; seed < 150; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomPolicies policies = new RandomPolicies(random);
      World world = new World();
      for (int step = 0; step < 25; step++) {
        disturb(world, random);
        if (random.nextInt(3) == 0) {
          world.aim(policies.policy());
        }
        world.rounds(random.nextInt(3));
      }
      world.devices.unreadable();
      world.settle("seed " + seed);
    }
  }

  // A constant drawn by chance, not one that depends on its place.
  @SuppressWarnings("EnumOrdinal")
  private static void disturb(World world, SplittableRandom random) {
    FakeDevices devices = world.devices;
    String function = "pf0vf" + random.nextInt(6);
    switch (random.nextInt(10)) {
      case 0 ->
          devices.failOnce(Call.values()[random.nextInt(4)], Fault.values()[random.nextInt(2)]);
      case 1 -> devices.unreadable(Part.values()[random.nextInt(3)]);
      case 2 -> devices.unreadable();
      case 3 -> devices.restartSwitch();
      case 4 -> world.restartAgent();
      case 5 -> devices.flows().clear();
      case 6 ->
          devices
              .flows()
              .put(new Flow(0, random.nextInt(0x10000), 5, Match.ANY, List.of(Actions.output(9))));
      case 7 -> devices.bridge().tamperRestoreWait();
      case 8 -> devices.unplug(function);
      default -> devices.plug(function, "rep" + function.substring("pf0vf".length()));
    }
  }
}
