package io.gatehouse.agent;

import io.gatehouse.agent.apply.ConnectionLimitApplier;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.OpenFlowConfig;
import io.gatehouse.agent.device.openflow.OpenFlowListener;
import io.gatehouse.agent.device.openflow.codec.FlowChange;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import io.gatehouse.agent.device.ovsdb.OvsdbClient;
import io.gatehouse.agent.device.ovsdb.OvsdbConfig;
import io.gatehouse.agent.device.ovsdb.OvsdbListener;
import io.gatehouse.agent.device.ovsdb.OvsdbSnapshot;
import io.gatehouse.agent.device.sysfs.TrackerSize;
import io.gatehouse.agent.device.unixctl.UnixctlClient;
import io.gatehouse.agent.observe.BridgeObserver;
import io.gatehouse.agent.observe.ConnectionLimitObserver;
import io.gatehouse.agent.observe.FlowObserver;
import io.gatehouse.agent.observe.MeterObserver;
import io.gatehouse.agent.reconcile.Wakeups;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.trace.SwitchTracer;
import io.gatehouse.runtime.tls.TlsFiles;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Both connections to Open vSwitch. Whatever they hear wakes the loop; nothing is decided here. */
final class SwitchConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SwitchConnection.class);

  /** Of one trace; a switch under load answers late. */
  private static final Duration TRACE_LIMIT = Duration.ofSeconds(10);

  /** Of one command of the loop. */
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(10);

  private final AgentConfig.Ovs settings;
  private final EventLoopGroup loops;
  private final RandomGenerator random;
  private final Wakeups wakeups;
  private final ScheduledExecutorService timers =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "reconnect-timer"));
  private final OvsdbClient database;
  private final OpenFlowClient openFlow;
  private final FlowObserver flows;
  private final MeterObserver meters;
  private final UnixctlClient control;
  private final ConnectionLimitObserver limits;
  private final ConnectionLimitApplier limitApplier;
  private final SwitchTracer tracer;

  SwitchConnection(
      AgentConfig.Ovs settings,
      Site.Datapath datapath,
      EventLoopGroup loops,
      RandomGenerator random,
      Wakeups wakeups) {
    this.settings = settings;
    this.loops = loops;
    this.random = random;
    this.wakeups = wakeups;
    this.database =
        new OvsdbClient(
            OvsdbConfig.of(settings.database(), BridgeObserver.MONITORED),
            settings.tls().map(paths -> TlsFiles.open(paths).clientContext()),
            loops,
            timers,
            random,
            new DatabaseListener());
    this.openFlow = bridge(OpenFlowConfig.Watch.FLOWS_AND_PORTS, new FlowListener());
    this.flows = new FlowObserver(openFlow);
    this.meters = new MeterObserver(openFlow);
    this.control = new UnixctlClient(settings.runDirectory(), CONTROL_LIMIT);
    this.limits =
        new ConnectionLimitObserver(control, datapath, new TrackerSize(TrackerSize.DEFAULT_FILE));
    this.limitApplier = new ConnectionLimitApplier(control, datapath);
    this.tracer =
        new SwitchTracer(new UnixctlClient(settings.runDirectory(), TRACE_LIMIT), Site.BRIDGE);
  }

  /** Another connection to the bridge, for packets of hosts; not started, and the caller's own. */
  OpenFlowClient packets(OpenFlowListener listener) {
    return bridge(OpenFlowConfig.Watch.PACKETS, listener);
  }

  private OpenFlowClient bridge(OpenFlowConfig.Watch watch, OpenFlowListener listener) {
    return new OpenFlowClient(
        OpenFlowConfig.ofBridge(settings.runDirectory(), Site.BRIDGE).watching(watch),
        loops,
        (delay, task) -> {
          ScheduledFuture<?> unused = timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        },
        random,
        listener);
  }

  /** For one thread. */
  SwitchTracer tracer() {
    return tracer;
  }

  /** Has the loop read all flows again. */
  void lookAgain() {
    flows.allMayHaveChanged();
    wakeups.wake();
  }

  OvsdbClient database() {
    return database;
  }

  OpenFlowClient openFlow() {
    return openFlow;
  }

  FlowObserver flows() {
    return flows;
  }

  MeterObserver meters() {
    return meters;
  }

  /** For the loop's thread but for what says otherwise. */
  ConnectionLimitObserver limits() {
    return limits;
  }

  /** For the loop's thread. */
  ConnectionLimitApplier limitApplier() {
    return limitApplier;
  }

  void start() {
    database.start();
    openFlow.start();
  }

  @Override
  public void close() {
    database.close();
    openFlow.close();
    control.close();
    timers.shutdownNow();
  }

  private final class DatabaseListener implements OvsdbListener {
    private boolean connected;

    @Override
    public void connected(OvsdbSnapshot snapshot) {
      connected = true;
      log.info("connected to the database of Open vSwitch");
      wakeups.wake();
    }

    @Override
    public void changed(OvsdbSnapshot snapshot) {
      wakeups.wake();
    }

    @Override
    public void disconnected(DeviceException cause) {
      if (connected) {
        log.atWarn()
            .addKeyValue("reason", cause.getMessage())
            .log("lost the database of Open vSwitch");
      }
      connected = false;
      wakeups.wake();
    }
  }

  private final class FlowListener implements OpenFlowListener {
    /** A meter that is deleted takes flows along, and that is all that is heard of it. */
    private void lookAgain() {
      flows.allMayHaveChanged();
      meters.mayHaveChanged();
      wakeups.wake();
    }

    @Override
    public void connected(long datapathId) {
      log.info("connected to the bridge {}", Site.BRIDGE);
      // A switch that was started again has forgotten them.
      limits.mayHaveChanged();
      lookAgain();
    }

    @Override
    public void disconnected(DeviceException cause) {
      log.atWarn().addKeyValue("reason", cause.getMessage()).log("lost the bridge {}", Site.BRIDGE);
      lookAgain();
    }

    @Override
    public void flowsChanged(List<FlowChange> changes) {
      lookAgain();
    }

    @Override
    public void flowsUnknown() {
      lookAgain();
    }

    @Override
    public void portChanged(PortDescription.Reason reason, PortDescription port) {
      wakeups.wake();
    }
  }
}
