package io.gatehouse.agent;

import io.gatehouse.agent.apply.BridgeApplier;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.lldp.LldpClient;
import io.gatehouse.agent.device.netlink.NetlinkMonitor;
import io.gatehouse.agent.device.sysfs.FunctionResolver;
import io.gatehouse.agent.identity.IdentityKeeper;
import io.gatehouse.agent.identity.IdentityStatus;
import io.gatehouse.agent.identity.KeeperPace;
import io.gatehouse.agent.observe.BridgeObserver;
import io.gatehouse.agent.observe.MachineObserver;
import io.gatehouse.agent.observe.underlay.UnderlayObserver;
import io.gatehouse.agent.observe.underlay.UnderlayWatch;
import io.gatehouse.agent.reconcile.PathLimits;
import io.gatehouse.agent.reconcile.ReconcileLoop;
import io.gatehouse.agent.reconcile.Reconciler;
import io.gatehouse.agent.reconcile.Target;
import io.gatehouse.agent.reconcile.Wakeups;
import io.gatehouse.agent.report.AckDesk;
import io.gatehouse.agent.report.FlowLister;
import io.gatehouse.agent.report.LocalService;
import io.gatehouse.agent.report.MeterLister;
import io.gatehouse.agent.report.PortExplainer;
import io.gatehouse.agent.report.ProofDesk;
import io.gatehouse.agent.report.ProofReporter;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.subscribe.PolicyListener;
import io.gatehouse.agent.subscribe.PolicyRefusedException;
import io.gatehouse.agent.subscribe.PolicyStore;
import io.gatehouse.agent.subscribe.PolicyTrust;
import io.gatehouse.agent.subscribe.SyncClient;
import io.gatehouse.agent.subscribe.SyncStatus;
import io.gatehouse.agent.subscribe.SyncTimes;
import io.gatehouse.agent.verify.IsolationProver;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.proto.v1.GetAgentStatusResponse;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.runtime.Backoff;
import io.gatehouse.runtime.BuildVersion;
import io.gatehouse.runtime.observe.ObserveEndpoint;
import io.gatehouse.runtime.observe.ReadinessCheck;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running agent: all parts, wired. The data plane does not need it: when it stops or dies, what
 * is in force stays in force.
 */
final class Agent {
  private static final SyncTimes SYNC_TIMES =
      new SyncTimes(
          Duration.ofSeconds(5), new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10)));

  /** Of one question; it is asked once a minute. */
  private static final Duration LLDP_LIMIT = Duration.ofSeconds(5);

  private final AgentConfig config;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AgentMetrics metrics = new AgentMetrics(registry);
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final Wakeups wakeups = new Wakeups();
  private final PathLimits limits = new PathLimits(wakeups);
  private final SwitchConnection ovs;
  private final MachineObserver machine;
  private final Reconciler reconciler;
  private final HostServices hosts;
  private final IsolationProver prover;
  private final ReconcileLoop loop;
  private final IdentityKeeper keeper;
  private final SyncClient sync;
  private final PathProbes paths;
  private final AckDesk acks;
  private final UnderlayWatch underlay;
  private final LocalServer local;
  private volatile Health health = Health.UNKNOWN;
  private @Nullable ObserveEndpoint endpoint;
  private final List<NetlinkMonitor> monitors = new ArrayList<>();

  private Agent(AgentConfig config) throws DeviceException {
    this.config = config;
    // Each for one thread: the event loop, the stream.
    SplittableRandom random = new SplittableRandom();
    this.ovs =
        new SwitchConnection(
            config.ovs(), config.site().datapath(), loops, random.split(), wakeups);
    KernelConnection kernel = KernelConnection.open(config.site());
    this.machine = observer(config.functions(), ovs, kernel);
    MachineDevices devices =
        new MachineDevices(
            machine, ovs, kernel.applier(), new BridgeApplier(ovs.database(), config.site()));
    this.prover =
        new IsolationProver(
            packet -> ovs.tracer().traceOpening(packet),
            new ProofReport(),
            InstantSource.system(),
            System::nanoTime);
    this.reconciler = new Reconciler(config.site(), devices, metrics, prover, limits);
    this.loop =
        new ReconcileLoop(reconciler, devices, wakeups, new HealthReport(), System::nanoTime);
    this.hosts = new HostServices(ovs, reconciler::view, registry);
    this.paths =
        new PathProbes(
            config,
            loops,
            hosts,
            () -> reconciler.view().policy(),
            new PathProbes.Told(new PathMetrics(registry), limits));
    FlowLister flows = new FlowLister(ovs.openFlow(), () -> reconciler.view().plan());
    PortExplainer explainer =
        new PortExplainer(flows, new MeterLister(ovs.openFlow()), this::explained);
    ProofDesk proofs = new ProofDesk(config.site().dpu(), prover::prove);
    IdentityParts identity = IdentityParts.of(config, loops);
    this.keeper = keeper(identity, random.split());
    this.sync =
        new SyncClient(
            new ControlPlaneConnection(
                config,
                identity.channels(),
                machine::functions,
                new ControlPlaneConnection.Answers(explainer, proofs, paths.desk()),
                keeper::renewWithin),
            new PolicyStore(config.stateDirectory()),
            new PolicyAim(),
            new PolicyTrust(config.site().dpu(), identity.store().policyKeys()::current),
            SYNC_TIMES,
            random.split());
    this.acks = new AckDesk(sync::report);
    this.underlay = new UnderlayWatch(underlay(kernel), acks::underlay);
    this.local =
        new LocalServer(
            config.socket(), new LocalService(this::status, flows, explainer, proofs), loops);
    measure();
  }

  private IdentityKeeper keeper(IdentityParts identity, SplittableRandom random) {
    return new IdentityKeeper(
        identity.store(),
        identity.tokenFile(),
        identity.authority(),
        new IdentityUse(),
        KeeperPace.DEFAULT,
        random);
  }

  private UnderlayObserver underlay(KernelConnection kernel) {
    return new UnderlayObserver(
        kernel.netlink(),
        ovs.database()::snapshot,
        new LldpClient(LldpClient.DEFAULT_PROGRAM, config.lldpSocket(), LLDP_LIMIT),
        config.site().vtep(),
        new TenantDevices(machine, reconciler::view),
        System::nanoTime);
  }

  private void measure() {
    metrics.meterDrops(kind -> ovs.meters().dropped(kind));
    metrics.proofAge(this::proofAgeSeconds);
    metrics.syncAge(this::policyAgeSeconds);
    metrics.certificateExpiry(this::certificateSeconds);
  }

  private static MachineObserver observer(
      AgentConfig.Functions functions, SwitchConnection ovs, KernelConnection kernel) {
    return new MachineObserver(
        new BridgeObserver(ovs.database(), functions.uplink())::observe,
        ovs.flows()::observe,
        ovs.meters()::observe,
        ovs.limits()::observe,
        kernel.observer(),
        new FunctionResolver(FunctionResolver.DEFAULT_FOLDER, functions.byName()));
  }

  /** Starts all parts, the policy from disk first, and returns. */
  static Agent start(AgentConfig config) throws DeviceException, IOException {
    Files.createDirectories(config.stateDirectory());
    Files.createDirectories(config.socket().toAbsolutePath().getParent());
    Agent agent = new Agent(config);
    for (NetlinkMonitor.Subject subject : NetlinkMonitor.Subject.values()) {
      agent.monitors.add(NetlinkMonitor.start(subject, agent::kernelChanged));
    }
    agent.machine.readFunctions();
    agent.ovs.start();
    agent.hosts.start();
    agent.loop.start();
    agent.prover.start();
    agent.keeper.start();
    agent.paths.start(agent.sync::report);
    agent.underlay.start();
    agent.sync.start();
    agent.local.start();
    agent.endpoint =
        ObserveEndpoint.start(
            config.observe(),
            agent.registry,
            List.of(new ReadinessCheck("applied", agent::unready)));
    return agent;
  }

  private void kernelChanged() {
    machine.linksMayHaveChanged();
    wakeups.wake();
  }

  /** Stops all parts; the data plane stays as it is. */
  void stop() throws InterruptedException, IOException {
    keeper.close();
    paths.close();
    underlay.close();
    sync.close();
    loop.stop();
    prover.close();
    local.close();
    if (endpoint != null) {
      endpoint.close();
    }
    monitors.forEach(NetlinkMonitor::close);
    hosts.close();
    ovs.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Gives policies to the loop. */
  private final class PolicyAim implements PolicyListener {
    @Override
    public void policyChanged(Policy policy, List<Problem> unreadable) {
      loop.aim(new Target(policy, unreadable, System.nanoTime()));
      paths.aim(policy);
    }

    @Override
    public void policyRefused(PolicyRefusedException.Reason reason) {
      metrics.policyRefused(reason);
      if (reason == PolicyRefusedException.Reason.UNKNOWN_KEY) {
        keeper.keyNotKnown();
      }
    }
  }

  /** Takes what is new on disk into use. */
  private final class IdentityUse implements IdentityKeeper.Listener {
    @Override
    public void identityChanged() {
      sync.moveOver();
      sync.keysChanged();
    }

    @Override
    public void trustChanged() {
      sync.keysChanged();
    }
  }

  /** Takes proofs of isolation from the prover. */
  private final class ProofReport implements IsolationProver.Listener {
    @Override
    public void proved(Proof proof) {
      metrics.proved(proof);
      sync.report(ProofReporter.unasked(config.site().dpu(), proof));
    }

    @Override
    public void leaked(List<Finding> leaks) {
      metrics.leaked(leaks);
      ovs.lookAgain();
    }
  }

  /** Takes health from the loop. */
  private final class HealthReport implements java.util.function.Consumer<Health> {
    @Override
    public void accept(Health now) {
      if (now.equals(health)) {
        return;
      }
      health = now;
      metrics.health(now);
      acks.health(now);
    }
  }

  /**
   * Ready means forwarding as the policy says, by read-back; whether the control plane is there or
   * not.
   */
  private Optional<String> unready() {
    if (ovs.database().snapshot().isEmpty()) {
      return Optional.of("no connection to the database of Open vSwitch");
    }
    Health now = health;
    if (loop.target().isPresent() && now.components().isEmpty()) {
      return Optional.of("the policy is not looked at yet");
    }
    List<String> wrong =
        now.components().stream()
            .filter(component -> component.state() != Health.State.OK)
            .map(component -> component.part() + ": " + component.detail())
            .toList();
    return wrong.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", wrong));
  }

  private PortExplainer.View explained() {
    Reconciler.View view = reconciler.view();
    Health now = health;
    return new PortExplainer.View(
        view.plan(),
        view.facts().openFlowPorts(),
        now.problems(),
        now.appliedRevision(),
        hosts::lastTold,
        loop.target().orElse(Target.NONE).policy());
  }

  private GetAgentStatusResponse status() {
    SyncStatus stream = sync.status();
    Target target = loop.target().orElse(Target.NONE);
    IdentityStatus identity = keeper.status();
    return LocalService.status(health)
        .setCertificateExpireSeconds(identity.notAfter().map(Instant::getEpochSecond).orElse(0L))
        .setIdentityProblem(identity.problem())
        .addAllProblems(notes(target.policy()))
        .setDpu(config.site().dpu().toString())
        .setAgentVersion(BuildVersion.current())
        .setConnected(stream.connected())
        .setDisconnectReason(stream.reason())
        .setPolicyRefusal(stream.refusal())
        .setLastSyncAgeMillis(syncAgeMillis())
        .setNetworkCount(target.policy().networks().size())
        .setLocalPortCount(target.policy().localPorts().size())
        .setRemotePortCount(target.policy().remotePorts().size())
        .setWriteCount(metrics.writeCount())
        .setDriftRepairCount(metrics.driftCount())
        .build();
  }

  private static List<ResourceProblem> notes(Policy policy) {
    return policy.localPorts().values().stream()
        .flatMap(port -> PortExplainer.notes(port).stream().map(note -> note(port, note)))
        .toList();
  }

  private static ResourceProblem note(LocalPortPolicy port, String note) {
    return ResourceProblem.newBuilder().setName(port.key()).setReason(note).build();
  }

  /** The control plane speaks when something changes, so that its silence alone is no age. */
  private double policyAgeSeconds() {
    long millis = sync.status().connected() ? 0 : syncAgeMillis();
    return millis < 0 ? Double.NaN : millis / 1e3;
  }

  private double proofAgeSeconds() {
    return prover
        .newest()
        .map(proof -> Duration.between(proof.at(), Instant.now()).toMillis() / 1e3)
        .orElse(Double.NaN);
  }

  private double certificateSeconds() {
    return keeper
        .status()
        .notAfter()
        .map(end -> Duration.between(Instant.now(), end).toMillis() / 1e3)
        .orElse(Double.NaN);
  }

  private long syncAgeMillis() {
    SyncStatus stream = sync.status();
    return stream.everHeard()
        ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stream.lastMessageNanos())
        : -1;
  }
}
