package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.diff.BridgeDiff;
import io.gatehouse.agent.diff.ConnectionLimitDiff;
import io.gatehouse.agent.diff.FlowDiff;
import io.gatehouse.agent.diff.KernelDiff;
import io.gatehouse.agent.diff.MeterDiff;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.report.ComponentReporter;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.Changes;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.proof.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One round of the loop: observe, plan, diff, apply. Not thread-safe; {@link ReconcileLoop} calls
 * it.
 *
 * <p>A revision counts as applied only in a round that finds nothing to change: what the round
 * before wrote has then been read back.
 */
public final class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

  private final Site site;
  private final Devices devices;
  private final ReconcileMeter meter;
  private final RoundListener listener;
  private final PathLimits limits;
  private final Refusals refusals = new Refusals();
  private FlowPlan lastFlows = FlowPlan.EMPTY;
  private FlowDiff.Comparison lastComparison = FlowDiff.Comparison.NONE;
  private Optional<View> inForce = Optional.empty();
  private volatile View view = View.NOTHING;
  private RestoreWait restoreWait = RestoreWait.AS_IT_IS;
  private long appliedRevision;
  private long applyNanos;

  /** One of a DPU whose paths are not probed, and that nobody listens to. */
  public Reconciler(Site site, Devices devices, ReconcileMeter meter) {
    this(site, devices, meter, RoundListener.NONE, new PathLimits(new Wakeups()));
  }

  public Reconciler(
      Site site, Devices devices, ReconcileMeter meter, RoundListener listener, PathLimits limits) {
    this.site = site;
    this.devices = devices;
    this.meter = meter;
    this.listener = listener;
    this.limits = limits;
  }

  /** The newest plan and what it was made from, for those who explain it. */
  public record View(Optional<Plan> plan, Facts facts, Policy policy) {
    public static final View NOTHING = new View(Optional.empty(), Facts.NONE, Policy.NONE);
  }

  /** How a round ended. */
  public enum Outcome {
    /** All that can be in force is, by read-back. */
    IN_FORCE,
    /** Something was written; only another round can tell whether it worked. */
    WRITTEN,
    /** A device could not be read or written. */
    UNREACHABLE
  }

  /** The end of a round. */
  public record Round(Outcome outcome, Health health) {}

  /** Whether a switch that starts now must wait for its flows before it forwards anything. */
  private enum RestoreWait {
    /** Nothing is known of the switch yet. */
    AS_IT_IS,
    /** The flows are not in force, or the switch is away and may come back without them. */
    WAIT,
    /** The flows are in force: a switch that waits would forward nothing for no reason. */
    GO
  }

  /** Runs a round; blocks while devices answer. */
  public Round run(Target target, long nowNanos) throws InterruptedException {
    Observation observation =
        devices.observe(
            target.policy().localPorts().values().stream().map(port -> port.function()).toList());
    Facts facts = seen(observation).withPathLimits(limits.ofHosts());
    Plan plan = refusals.without(PolicyPlanner.plan(target.policy(), facts, site, lastFlows));
    lastFlows = plan.flows();
    view = new View(Optional.of(plan), facts, target.policy());
    Changes changes = diff(plan, observation);
    if (changes.isEmpty() && isKnown(observation)) {
      return inForce(target, plan, observation, changes, nowNanos);
    }
    if (isDrift(changes)) {
      countDrift(changes);
      tell(target, plan, observation, listener::changedByOthers);
    }
    if (!changes.isEmpty()) {
      listener.changing();
    }
    Outcome outcome = apply(plan, changes);
    return new Round(outcome, health(target, plan, observation, changes));
  }

  /** The newest view; from any thread. */
  public View view() {
    return view;
  }

  private Round inForce(
      Target target, Plan plan, Observation observation, Changes changes, long nowNanos) {
    inForce = Optional.of(view);
    tell(target, plan, observation, listener::inForce);
    if (appliedRevision != plan.revision()) {
      appliedRevision = plan.revision();
      applyNanos = nowNanos - target.receivedNanos();
      meter.applied(applyNanos);
    }
    return new Round(Outcome.IN_FORCE, health(target, plan, observation, changes));
  }

  /** A device that the network stack does not list yet cannot be guarded, so it is not there. */
  private static Facts seen(Observation observation) {
    Facts facts = observation.facts();
    if (!(observation.kernel() instanceof Observed.Known<KernelView> known)) {
      return facts;
    }
    Map<String, String> devices = new HashMap<>(facts.devices());
    devices.values().retainAll(known.value().links().keySet());
    return facts.withDevices(devices);
  }

  private Changes diff(Plan plan, Observation observation) {
    KernelChange kernel =
        observation.kernel() instanceof Observed.Known<KernelView> known
            ? KernelDiff.diff(plan.kernel(), known.value())
            : KernelChange.NONE;
    FlowChange flows = FlowChange.NONE;
    if (observation.flows() instanceof Observed.Known<FlowView> known) {
      lastComparison = FlowDiff.diff(plan.flows(), known.value(), lastComparison);
      flows = lastComparison.change();
    }
    MeterChange meters =
        observation.meters() instanceof Observed.Known<MeterView> known
            ? MeterDiff.diff(plan.flows(), known.value())
            : MeterChange.NONE;
    ConnectionLimitChange limits =
        observation.limits() instanceof Observed.Known<ConnectionLimitView> known
            ? ConnectionLimitDiff.diff(
                plan.flows(), plan.bridge(), known.value(), observation.facts().zones().values())
            : ConnectionLimitChange.NONE;
    restoreWait = restoreWait(observation, flows);
    BridgeChange bridge =
        observation.bridge() instanceof Observed.Known<BridgeView> known
            ? BridgeDiff.diff(plan.bridge(), known.value(), wanted(known.value(), flows))
            : BridgeChange.NONE;
    Changes changes = new Changes(kernel, meters, limits, flows, bridge);
    return Precautions.take(changes, plan, observation);
  }

  private RestoreWait restoreWait(Observation observation, FlowChange flows) {
    if (!observation.flows().isKnown()) {
      return restoreWait == RestoreWait.AS_IT_IS ? RestoreWait.AS_IT_IS : RestoreWait.WAIT;
    }
    boolean newSwitch = restoreWait != RestoreWait.GO;
    return newSwitch && !isComplete(flows) ? RestoreWait.WAIT : RestoreWait.GO;
  }

  /** Nothing is missing; that there is too much keeps no switch waiting. */
  private static boolean isComplete(FlowChange flows) {
    return flows.adds().isEmpty() && flows.modifies().isEmpty();
  }

  private boolean wanted(BridgeView view, FlowChange flows) {
    return switch (restoreWait) {
      case AS_IT_IS -> view.restoreWait();
      case WAIT -> true;
      // What is missing is read back before the switch goes on.
      case GO -> view.restoreWait() && !isComplete(flows);
    };
  }

  /** Known, and taken by the switch itself: the database alone forwards no packet. */
  private static boolean isKnown(Observation observation) {
    return observation.kernel().isKnown()
        && observation.meters().isKnown()
        && observation.limits().isKnown()
        && observation.flows().isKnown()
        && observation.bridge() instanceof Observed.Known<BridgeView> bridge
        && bridge.value().configuredBySwitch();
  }

  /**
   * What was in force and is no longer, though it is still what is wanted, was changed by others.
   */
  private boolean isDrift(Changes changes) {
    return !changes.isEmpty() && inForce.isPresent() && isSameAim(inForce.get(), view);
  }

  private void countDrift(Changes changes) {
    inForce = Optional.empty();
    meter.drift();
    log.atWarn()
        .addKeyValue("meters", changes.meters().size())
        .addKeyValue("limits", changes.limits().size())
        .addKeyValue("flows", changes.flows().size())
        .addKeyValue("bridge", changes.bridge().size())
        .addKeyValue("kernel", changes.kernel().size())
        .log("what was in force has been changed by others; setting it right");
  }

  /** With the facts that the plan was made from. */
  private void tell(Target target, Plan plan, Observation observation, Consumer<Subject> told) {
    if (observation.flows() instanceof Observed.Known<FlowView> known) {
      told.accept(new Subject(target.policy(), plan, view.facts(), known.value()));
    }
  }

  /**
   * Flows do not count: whoever takes a port away changes its number, and so the flows planned.
   * What paths carry does: it changes flows, and nobody else has.
   */
  private static boolean isSameAim(View one, View other) {
    return one.facts().pathLimits().equals(other.facts().pathLimits())
        && one.plan().flatMap(a -> other.plan().map(b -> isSameAim(a, b))).orElse(false);
  }

  private static boolean isSameAim(Plan one, Plan other) {
    return one.revision() == other.revision()
        && one.bridge().equals(other.bridge())
        && one.kernel().equals(other.kernel());
  }

  /**
   * Close before open: guards, then the meters and limits that flows need, then flows that end or
   * change, then ports, then what may open.
   */
  private Outcome apply(Plan plan, Changes changes) throws InterruptedException {
    if (changes.isEmpty()) {
      return Outcome.UNREACHABLE;
    }
    meter.writes(changes.size());
    try {
      devices.close(changes.kernel());
      Set<Long> closed = limit(plan.flows(), changes);
      FlowChange flows = changes.flows().withoutOpening(flow -> closed.contains(flow.cookie()));
      Map<Long, String> refused = devices.apply(flows);
      refusals.add(plan.flows(), refused);
      devices.close(changes.meters());
      devices.close(changes.limits());
      devices.apply(changes.bridge());
      devices.open(changes.kernel());
      return Outcome.WRITTEN;
    } catch (DeviceException e) {
      // Whether it was done is not known, so nothing that was read before counts.
      devices.forget();
      meter.failure();
      log.atWarn()
          .addKeyValue("kind", e.kind())
          .addKeyValue("reason", e.getMessage())
          .log("a change could not be made; trying again");
      return Outcome.UNREACHABLE;
    }
  }

  /**
   * Sets meters and limits.
   *
   * @return cookies of those who cannot be held to theirs
   */
  private Set<Long> limit(FlowPlan plan, Changes changes)
      throws DeviceException, InterruptedException {
    Map<Integer, String> unmetered = new TreeMap<>(changes.meters().impossible());
    unmetered.putAll(devices.open(changes.meters()));
    Set<Long> closed = refusals.addMeters(plan, unmetered);
    Map<Integer, String> unlimited = new TreeMap<>(changes.limits().impossible());
    unlimited.putAll(devices.open(changes.limits()));
    closed.addAll(refusals.addLimits(plan, unlimited));
    return closed;
  }

  private Health health(Target target, Plan plan, Observation observation, Changes changes) {
    List<Problem> problems =
        Stream.concat(target.unreadable().stream(), plan.problems().stream()).toList();
    List<String> foreign = new ArrayList<>();
    if (observation.bridge() instanceof Observed.Known<BridgeView> known) {
      foreign.addAll(known.value().foreign());
    }
    Map<Integer, Integer> flowsByTable =
        observation.flows() instanceof Observed.Known<FlowView> known
            ? known.value().countByTable()
            : Map.of();
    return new Health(
        target.policy().revision(),
        appliedRevision,
        problems,
        ComponentReporter.report(observation, changes),
        foreign,
        flowsByTable,
        underlayMtuBytes(observation),
        applyNanos);
  }

  private static int underlayMtuBytes(Observation observation) {
    return observation.kernel() instanceof Observed.Known<KernelView> known
        ? known.value().underlay().mtuBytes()
        : 0;
  }
}
