package io.gatehouse.agent;

import io.gatehouse.agent.identity.IdentityKeeper;
import io.gatehouse.agent.identity.IdentityStore;
import io.gatehouse.agent.identity.KeeperPace;
import io.gatehouse.agent.identity.RemoteAuthority;
import io.gatehouse.agent.identity.TokenFile;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.subscribe.ControlPlane;
import io.gatehouse.agent.subscribe.PolicyListener;
import io.gatehouse.agent.subscribe.PolicyRefusedException;
import io.gatehouse.agent.subscribe.PolicyStore;
import io.gatehouse.agent.subscribe.PolicyTrust;
import io.gatehouse.agent.subscribe.SyncClient;
import io.gatehouse.agent.subscribe.SyncTimes;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationQuery;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.runtime.Backoff;
import io.gatehouse.runtime.config.HostPort;
import io.grpc.ManagedChannel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Stream and identity of an agent, wired as the agent does it, without devices. */
final class EnrolledAgent implements AutoCloseable, ControlPlane, PolicyListener {
  private static final Set<String> OWN_THREADS = Set.of("identity", "sync", "policy-store");

  final BlockingQueue<Policy> announced = new LinkedBlockingQueue<>();
  final IdentityStore store;
  final IdentityKeeper keeper;
  final SyncClient sync;

  /** How far the clock of this machine is off. */
  volatile Duration clockOffset = Duration.ZERO;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final ControlPlaneChannels channels;

  EnrolledAgent(Path directory, List<HostPort> targets, HostPort enrollment) {
    DpuName dpu = new DpuName("d1");
    InstantSource clock = () -> Instant.now().plus(clockOffset);
    Backoff soon = new Backoff(Duration.ofMillis(10), Duration.ofMillis(50));
    this.store = new IdentityStore(dpu, directory.resolve("identity"));
    this.channels =
        new ControlPlaneChannels(new AgentConfig.Upstream(targets, "localhost"), store, loops, 0);
    this.keeper =
        new IdentityKeeper(
            store,
            Optional.of(new TokenFile(directory.resolve("token"))),
            new RemoteAuthority(List.of(enrollment), "localhost", "SN1", channels::connect, clock),
            new Use(),
            new KeeperPace(clock, Duration.ofMillis(20), Duration.ofHours(6), soon, soon),
            new SplittableRandom(1));
    this.sync =
        new SyncClient(
            this,
            new PolicyStore(directory),
            this,
            new PolicyTrust(dpu, store.policyKeys()::current),
            new SyncTimes(Duration.ofMillis(20), soon),
            new SplittableRandom(2));
  }

  void start() {
    keeper.start();
    sync.start();
  }

  @Override
  public ManagedChannel connect() throws IOException {
    return channels.connect();
  }

  @Override
  public Hello.Builder introduction() {
    return Hello.newBuilder().setAgentVersion("test").setBootId("boot");
  }

  @Override
  public void renewalAsked(RenewalRequest request) {
    keeper.renewWithin(Duration.ofSeconds(request.getSpreadSeconds()));
  }

  @Override
  public CompletableFuture<PathAnswer> probePath(PathQuery query) {
    return CompletableFuture.completedFuture(
        PathAnswer.newBuilder().setQueryId(query.getQueryId()).build());
  }

  @Override
  public CompletableFuture<IsolationAnswer> prove(IsolationQuery query) {
    return CompletableFuture.completedFuture(
        IsolationAnswer.newBuilder().setQueryId(query.getQueryId()).build());
  }

  @Override
  public CompletableFuture<ExplainAnswer> explain(ExplainQuery query) {
    return CompletableFuture.failedFuture(new IOException("no devices"));
  }

  @Override
  public void policyChanged(Policy policy, List<Problem> unreadable) {
    announced.add(policy);
  }

  @Override
  public void policyRefused(PolicyRefusedException.Reason reason) {
    if (reason == PolicyRefusedException.Reason.UNKNOWN_KEY) {
      keeper.keyNotKnown();
    }
  }

  /** When it returns, nothing is on its way to the disk any more. */
  @Override
  public void close() {
    keeper.close();
    sync.close();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (OWN_THREADS.contains(thread.getName())) {
        join(thread);
      }
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static void join(Thread thread) {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Use implements IdentityKeeper.Listener {
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
}
