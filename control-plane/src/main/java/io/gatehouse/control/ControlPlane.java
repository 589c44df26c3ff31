package io.gatehouse.control;

import io.gatehouse.control.GrpcEndpoint.Guards;
import io.gatehouse.control.api.Calls;
import io.gatehouse.control.api.ResourceServices;
import io.gatehouse.control.ask.AgentStreams;
import io.gatehouse.control.ask.StreamExplainer;
import io.gatehouse.control.audit.AuditService;
import io.gatehouse.control.audit.RefusalRecorder;
import io.gatehouse.control.auth.OpenCalls;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.fleet.FleetMetrics;
import io.gatehouse.control.fleet.FleetService;
import io.gatehouse.control.fleet.FleetStatus;
import io.gatehouse.control.fleet.ProgressBoard;
import io.gatehouse.control.fleet.RecentChanges;
import io.gatehouse.control.fleet.ReportedStatus;
import io.gatehouse.control.fleet.StatusSync;
import io.gatehouse.control.fleet.VniReaper;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.isolation.AgentProofs;
import io.gatehouse.control.isolation.IsolationService;
import io.gatehouse.control.journal.RefusalChain;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.mtu.MtuService;
import io.gatehouse.control.mtu.MtuSettler;
import io.gatehouse.control.mtu.PathLimiter;
import io.gatehouse.control.path.AgentProbes;
import io.gatehouse.control.path.PathService;
import io.gatehouse.control.publish.AgentReports;
import io.gatehouse.control.publish.PublishThreads;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.SyncMetrics;
import io.gatehouse.control.publish.SyncService;
import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.JournalSequencer;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.SequencerConfig;
import io.gatehouse.control.sequencer.SequencerHealth;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.runtime.SerialThread;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.BindableService;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingServerInterceptor;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running control plane: all parts, wired. What was started last is closed first. */
public final class ControlPlane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
  private static final int PUBLISH_THREADS =
      Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
  private static final int SAMPLE_TICKS = 5;

  private final Parts parts = new Parts();
  private final InstantSource clock = InstantSource.system();
  private final MeterRegistry registry;
  private final UncaughtExceptionHandler onBug;
  private volatile Optional<Sequencer> sequencer = Optional.empty();
  private volatile Optional<TlsFiles> tls = Optional.empty();
  private volatile Optional<Listeners> doors = Optional.empty();
  private long ticks;

  private ControlPlane(MeterRegistry registry, UncaughtExceptionHandler onBug) {
    this.registry = registry;
    this.onBug = onBug;
  }

  /**
   * A control plane that is not started, for whoever asks meanwhile whether it is ready.
   *
   * @param onBug told what a thread of the core throws; the process must not go on
   */
  public static ControlPlane create(MeterRegistry registry, UncaughtExceptionHandler onBug) {
    return new ControlPlane(registry, onBug);
  }

  /**
   * Replays the journal, then serves, with certificates as the settings say.
   *
   * @throws io.gatehouse.control.journal.JournalException if the journal cannot be reached
   * @throws io.gatehouse.control.journal.JournalCorruptException if it is not what was written
   * @throws io.gatehouse.control.pki.PkiException if the keys of the authorities cannot be used
   * @throws io.gatehouse.runtime.tls.TlsFileException if a certificate's file cannot be used
   * @throws IOException if an address cannot be bound
   */
  public void start(ControlPlaneConfig config) throws IOException {
    start(config, Optional.empty());
  }

  /** As {@link #start(ControlPlaneConfig)}, with a certificate that somebody else has issued. */
  public void start(ControlPlaneConfig config, TlsFiles given) throws IOException {
    start(config, Optional.of(given));
  }

  private void start(ControlPlaneConfig config, Optional<TlsFiles> given) throws IOException {
    tls = given;
    PolicySigner signer = PolicySigner.open(config.pki().authorities().directory());
    SqlJournal journal = parts.opened(SqlJournal.open(config.journal()));
    Image image = journal.load();
    JournalSequencer core =
        parts.opened(new JournalSequencer(journal, image, SequencerConfig.DEFAULT));
    Sequencer commands = new MeasuredSequencer(core, registry);
    RefusalChain refused = journal.refusals();
    RefusalRecorder refusals = parts.opened(new RefusalRecorder(refused, clock));
    refusals.start();
    OpenCalls calls = new OpenCalls(commands::image, clock, refusals);
    FleetParts fleet = fleet(config, image);
    PublishThreads threads = parts.opened(new PublishThreads(PUBLISH_THREADS, onBug));
    var around =
        new IdentityParts.Surroundings(commands, clock, threads, refusals, fleet.store(), signer);
    Optional<IdentityParts> identity =
        given.isPresent() ? Optional.empty() : Optional.of(new IdentityParts(config, around));
    AgentReports reports = identity.map(IdentityParts::reports).orElse(fleet.store());
    Publisher publisher =
        Publisher.start(image, reports, new SyncMetrics(registry), threads, signer);
    // Before the sequencer starts: nobody misses an entry.
    commands.listen(
        committed -> {
          calls.committed(committed.entry(), committed.after());
          tell(committed, fleet, publisher);
          identity.ifPresent(parts -> parts.committed(committed, publisher));
        });
    core.start();
    FirstAdmin.ensure(commands, clock);
    threads.everySecond(calls::recheck);
    tend(threads, commands, fleet);
    ExecutorService executor = GrpcEndpoint.executor();
    parts.beforeThose(executor::shutdownNow);
    List<BindableService> services = services(commands, fleet, journal, publisher, executor);
    services.add(parts.opened(new AuditService(journal, refused)));
    ExpiryMetrics expiry = new ExpiryMetrics(registry, clock);
    if (identity.isPresent()) {
      tls = Optional.of(identity.get().open());
      services.addAll(identity.get().services(executor));
      threads.everySecond(identity.get()::tend);
      expiry.watch(commands::image);
    }
    TlsFiles files =
        tls.orElseThrow(() -> new IllegalStateException("somebody issues certificates"));
    expiry.watch(files);
    Guards guards = guards(config, commands, refusals, calls);
    Listeners listeners =
        parts.opened(
            Listeners.start(
                config, identity, new Listeners.Served(files, guards, services, executor)));
    // In the order of closing: no new calls, agents are sent away, then the rest has its time.
    parts.beforeThose(publisher::stop);
    parts.beforeThose(listeners::drain);
    doors = Optional.of(listeners);
    sequencer = Optional.of(commands);
    sayReady(config, image);
  }

  private void sayReady(ControlPlaneConfig config, Image image) {
    LOG.atInfo()
        .addKeyValue("address", config.listen().getAddress().getHostAddress())
        .addKeyValue("port", port())
        .addKeyValue("revision", image.revision())
        .log("control plane is ready");
  }

  /**
   * What stands at each door; the time that a call takes is measured before anything is refused.
   */
  private Guards guards(
      ControlPlaneConfig config, Sequencer commands, RefusalRecorder refusals, OpenCalls calls) {
    return config
        .access()
        .guards(config.trustDomain(), commands, refusals, calls)
        .behind(new MetricCollectingServerInterceptor(registry));
  }

  /** Where those with certificates come; 0 before anybody can. */
  public int port() {
    return doors.map(Listeners::port).orElse(0);
  }

  /** Where those enrol who have no certificate; 0 if nowhere. */
  public int enrollmentPort() {
    return doors.map(Listeners::enrollmentPort).orElse(0);
  }

  /** Where operators with bearer tokens come; 0 if nowhere. */
  public int bearerPort() {
    return doors.map(Listeners::bearerPort).orElse(0);
  }

  /** What is wrong with the own certificate; empty if nothing is. */
  public Optional<String> tlsProblem() {
    return tls.flatMap(TlsFiles::problem);
  }

  /** Why it is not ready; empty if it is. */
  public Optional<String> problem() {
    Optional<Sequencer> started = sequencer;
    if (started.isEmpty()) {
      return Optional.of("the journal is being replayed");
    }
    SequencerHealth health = started.get().health();
    return health.available() ? Optional.empty() : Optional.of(health.problem());
  }

  /** Ends: the agents go elsewhere, what was accepted is in the journal. */
  @Override
  public void close() {
    parts.close();
  }

  /** What is known of the fleet. */
  private record FleetParts(ProgressBoard board, DpuStatusStore store, RecentChanges recent) {
    MtuChange.Facts mtuFacts(DpuName dpu) {
      return new MtuChange.Facts(board.progress(dpu).applied(), store.underlayMtuBytes(dpu));
    }
  }

  private FleetParts fleet(ControlPlaneConfig config, Image image) {
    String replica = UUID.randomUUID().toString();
    ProgressBoard board = new ProgressBoard(image);
    DpuStatusStore store = new DpuStatusStore(replica, clock, board::reported);
    parts.opened(new StatusSync(replica, config.journal(), store, onBug)).start();
    return new FleetParts(board, store, new RecentChanges(image.revision()));
  }

  private List<BindableService> services(
      Sequencer commands,
      FleetParts fleet,
      SqlJournal journal,
      Publisher publisher,
      ExecutorService executor) {
    AgentStreams agents = new AgentStreams(publisher, fleet.store());
    List<BindableService> services =
        new ArrayList<>(
            ResourceServices.of(
                commands,
                new ReportedStatus(fleet.store()),
                new StreamExplainer(agents),
                executor));
    services.add(new SyncService(publisher));
    services.add(new PathService(commands::image, fleet.store(), new AgentProbes(agents)));
    services.add(new IsolationService(commands::image, new AgentProofs(agents, fleet.store())));
    services.add(
        new MtuService(
            new Calls(commands, clock, executor), fleet::mtuFacts, fleet.store()::underlay));
    SerialThread watches = parts.opened(new SerialThread("watch-changes"));
    services.add(
        new FleetService(
            fleet.board(),
            new FleetStatus(fleet.board(), fleet.store()),
            journal,
            fleet.recent(),
            watches));
    return services;
  }

  /** The board first: an ack must not come before the change that it is for. */
  private static void tell(Committed committed, FleetParts fleet, Publisher publisher) {
    Set<DpuName> concerned =
        AffectedDpus.of(committed.before(), committed.after(), committed.entry());
    fleet.board().committed(committed, concerned);
    fleet.store().committed(committed, concerned);
    publisher.committed(committed, concerned);
    fleet.recent().committed(committed.entry());
  }

  private void tend(PublishThreads threads, Sequencer commands, FleetParts fleet) {
    FleetMetrics metrics = FleetMetrics.register(registry, fleet.board(), fleet.store(), clock);
    VniReaper reaper = new VniReaper(commands, fleet.board(), clock);
    MtuSettler mtus = new MtuSettler(commands, fleet::mtuFacts, clock);
    gauge(
        "gatehouse.networks.mtu.changing",
        "Networks whose MTU changes and waits for DPUs",
        mtus,
        MtuSettler::changingCount);
    PathLimiter paths = new PathLimiter(commands, fleet.store()::currentPaths, clock);
    gauge(
        "gatehouse.networks.degraded",
        "Networks that keep an MTU that a path between their DPUs does not carry",
        paths,
        PathLimiter::degradedCount);
    gauge(
        "gatehouse.networks.lowered",
        "Networks with a smaller MTU because of a path between their DPUs",
        paths,
        PathLimiter::loweredCount);
    threads.everySecond(
        () -> {
          reaper.look();
          paths.look();
          mtus.look();
          if (++ticks % SAMPLE_TICKS == 0) {
            metrics.sample();
          }
        });
  }

  private <T> void gauge(String name, String description, T part, ToDoubleFunction<T> value) {
    Gauge.builder(name, part, value)
        .description(description)
        .strongReference(true)
        .register(registry);
  }
}
