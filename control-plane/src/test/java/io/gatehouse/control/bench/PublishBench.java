package io.gatehouse.control.bench;

import io.gatehouse.control.auth.CallingDpu;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.DpuCommand.CreateDpu;
import io.gatehouse.control.decide.NetworkCommand.CreateNetwork;
import io.gatehouse.control.decide.PortCommand.CreatePort;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortDraft;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.fleet.ProgressBoard;
import io.gatehouse.control.fleet.Scope;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.publish.PublishThreads;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.SyncMetrics;
import io.gatehouse.control.publish.SyncService;
import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.control.sequencer.JournalSequencer;
import io.gatehouse.control.sequencer.SequencerConfig;
import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * From a command to the last ack, with many agents in this process over loopback without TLS, on
 * SQLite. Prints distributions. Arguments: number of agents (1000), changes a scenario (50).
 */
public final class PublishBench implements AutoCloseable {
  private static final Metadata.Key<String> DPU =
      Metadata.Key.of("dpu", Metadata.ASCII_STRING_MARSHALLER);
  private static final TenantQuota QUOTA = new TenantQuota(4_096, 100_000, 100);

  private final SqlJournal journal;
  private final JournalSequencer sequencer;
  private final ProgressBoard board;
  private final PublishThreads threads;
  private final Publisher publisher;
  private final Server server;
  private final ManagedChannel channel;
  private final List<BenchAgent> agents = new ArrayList<>();
  private final AtomicLong receivedBytes = new AtomicLong();
  private final Semaphore transfers = new Semaphore(0);
  private int ports;
  private int networks;

  private PublishBench(Path directory) throws Exception {
    journal = SqlJournal.open(JournalConfig.of("jdbc:sqlite:" + directory.resolve("j.db")));
    Image image = journal.load();
    sequencer = new JournalSequencer(journal, image, SequencerConfig.DEFAULT);
    board = new ProgressBoard(image);
    DpuStatusStore store = new DpuStatusStore("bench", InstantSource.system(), board::reported);
    threads = new PublishThreads(2, (thread, bug) -> bug.printStackTrace());
    publisher =
        Publisher.start(
            image,
            store,
            new SyncMetrics(new SimpleMeterRegistry()),
            threads,
            PolicySigner.open(directory.resolve("pki")));
    sequencer.listen(
        committed -> {
          var concerned = AffectedDpus.of(committed.before(), committed.after(), committed.entry());
          board.committed(committed, concerned);
          publisher.committed(committed, concerned);
        });
    sequencer.start();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new SyncService(publisher))
            .intercept(new DpuOfHeader())
            .build()
            .start();
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
            .usePlaintext()
            .build();
  }

  /** Runs all scenarios. */
  public static void main(String[] arguments) throws Exception {
    int dpus = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000;
    int changes = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 50;
    Path directory = Files.createTempDirectory("gatehouse-bench");
    try (PublishBench bench = new PublishBench(directory)) {
      bench.run(dpus, changes);
    }
  }

  private void run(int dpus, int changes) throws Exception {
    for (int i = 0; i < dpus; i++) {
      IpAddress vtep = IpAddress.ofV4(0x0a00_0001L + i);
      submit(new CreateDpu(request(), dpu(i), "", vtep, 1_500, FailureDomain.UNKNOWN));
    }
    submit(new CreateTenant(request(), new TenantName("t"), "", QUOTA, false));
    network("wide");
    for (int i = 0; i < dpus; i++) {
      port("wide", i);
    }
    for (int i = 0; i < dpus; i += 10) {
      network("small" + i);
      for (int j = i; j < Math.min(i + 10, dpus); j++) {
        port("small" + i, j);
      }
    }
    long start = System.nanoTime();
    for (int i = 0; i < dpus; i++) {
      agents.add(new BenchAgent(receivedBytes, transfers));
      agents.get(i).connect(channelOf(i));
    }
    awaitAll(sequencer.image().revision());
    print("snapshots of all, once", new long[] {System.nanoTime() - start});
    System.out.printf("  %,d bytes of policy%n", receivedBytes.get());

    measure("a port for 10 DPUs", changes, i -> port("small0", i % 10));
    measure("a port for all " + dpus + " DPUs", changes, i -> port("wide", i % dpus));

    long before = receivedBytes.get();
    transfers.drainPermits();
    start = System.nanoTime();
    for (int i = 0; i < dpus; i++) {
      agents.get(i).connect(channelOf(i));
    }
    transfers.acquire(dpus);
    print("reconnect of all, nothing changed", new long[] {System.nanoTime() - start});
    System.out.printf("  %,d bytes of policy%n", receivedBytes.get() - before);
  }

  /** A change that gives its revision. */
  private interface Change {
    long make(int number) throws Exception;
  }

  private void measure(String name, int count, Change change) throws Exception {
    for (int i = 0; i < 10; i++) {
      awaitAll(change.make(i));
    }
    long[] nanos = new long[count];
    long cpu = cpuNanos();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      awaitAll(change.make(i));
      nanos[i] = System.nanoTime() - start;
    }
    print(name, nanos);
    System.out.printf(
        "  %.2f ms of CPU a change, agents included%n", (cpuNanos() - cpu) / 1e6 / count);
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }

  private static void print(String name, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        "%-40s p50 %8.2f ms   p99 %8.2f ms   max %8.2f ms   n %d%n",
        name,
        nanos[nanos.length / 2] / 1e6,
        nanos[Math.min(nanos.length - 1, nanos.length * 99 / 100)] / 1e6,
        nanos[nanos.length - 1] / 1e6,
        nanos.length);
  }

  private void awaitAll(long revision) throws Exception {
    board.whenReached(revision, new Scope.Fleet()).get(10, TimeUnit.MINUTES);
  }

  private long port(String network, int dpu) throws Exception {
    PortName name = new PortName(networkName(network), "p" + ports);
    PortDraft draft =
        new PortDraft(
            "",
            dpu(dpu),
            "f" + ports++,
            Optional.empty(),
            List.of(),
            true,
            PortSecurity.NONE,
            RateLimits.NONE);
    return submit(new CreatePort(request(), name, draft, UUID.randomUUID(), KnownFunctions.NONE));
  }

  private void network(String name) throws Exception {
    submit(
        new CreateNetwork(
            request(),
            networkName(name),
            "",
            Optional.empty(),
            List.of(Cidr.parse("10." + networks++ / 16 + "." + networks % 16 * 16 + ".0/20")),
            0,
            HostConfiguration.DEFAULT));
  }

  private long submit(Command command) throws Exception {
    return sequencer.submit(command).get(1, TimeUnit.MINUTES).entry().revision();
  }

  private static NetworkName networkName(String name) {
    return new NetworkName(new TenantName("t"), name);
  }

  private static DpuName dpu(int number) {
    return new DpuName("d" + number);
  }

  private static Request request() {
    return Request.internal("operator/bench", Instant.EPOCH);
  }

  private Channel channelOf(int dpu) {
    Metadata headers = new Metadata();
    headers.put(DPU, "d" + dpu);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    publisher.stop();
    threads.close();
    sequencer.close();
    journal.close();
  }

  /** Stands in for the certificate. */
  private static final class DpuOfHeader implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      DpuName dpu = new DpuName(String.valueOf(headers.get(DPU)));
      return Contexts.interceptCall(
          Context.current().withValue(CallingDpu.KEY, dpu), call, headers, next);
    }
  }
}
