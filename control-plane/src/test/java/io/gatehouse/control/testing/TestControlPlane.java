package io.gatehouse.control.testing;

import io.gatehouse.control.AccessConfig;
import io.gatehouse.control.ControlPlane;
import io.gatehouse.control.ControlPlaneConfig;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.pki.PkiConfig;
import io.gatehouse.proto.v1.CreateDpuRequest;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.identity.EnrollmentClient;
import io.gatehouse.runtime.log.LogFormat;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.Trust;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** A control plane of a test, on a free port of 127.0.0.1, and channels to it. */
public final class TestControlPlane implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicReference<@Nullable Throwable> bug = new AtomicReference<>();
  private final ControlPlane controlPlane;
  private final Optional<Path> temporary;
  private final List<ManagedChannel> channels = new ArrayList<>();

  private TestControlPlane(Optional<Path> temporary) {
    this.temporary = temporary;
    this.controlPlane = ControlPlane.create(registry, (thread, thrown) -> bug.set(thrown));
  }

  /** Starts one on a journal. */
  public static TestControlPlane start(String jdbcUrl, TlsFiles tls) throws Exception {
    return start(jdbcUrl, tls, AccessConfig.DEFAULT);
  }

  /** Starts one on a journal, for whom it concerns. */
  public static TestControlPlane start(String jdbcUrl, TlsFiles tls, AccessConfig access)
      throws Exception {
    Path keys = Files.createTempDirectory("gatehouse-pki");
    TestControlPlane started = new TestControlPlane(Optional.of(keys));
    started.controlPlane.start(config(jdbcUrl, pki(keys), access), tls);
    return started;
  }

  /** Starts one that issues certificates, for 127.0.0.1. */
  public static TestControlPlane startWithPki(
      String jdbcUrl, Path directory, Duration deviceLifetime) throws Exception {
    return startWithPki(jdbcUrl, directory, deviceLifetime, AccessConfig.DEFAULT);
  }

  /** As above, for whom it concerns. */
  public static TestControlPlane startWithPki(
      String jdbcUrl, Path directory, Duration deviceLifetime, AccessConfig access)
      throws Exception {
    TestControlPlane started = new TestControlPlane(Optional.empty());
    PkiConfig pki =
        new PkiConfig(directory, deviceLifetime, List.of("127.0.0.1"), Optional.empty());
    try {
      started.controlPlane.start(config(jdbcUrl, pki, access));
      return started;
    } catch (Exception e) {
      started.controlPlane.close();
      throw e;
    }
  }

  private static PkiConfig pki(Path directory) {
    return new PkiConfig(directory, Duration.ofDays(7), List.of("127.0.0.1"), Optional.empty());
  }

  private static ControlPlaneConfig config(String jdbcUrl, PkiConfig pki, AccessConfig access) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new ControlPlaneConfig(
        any,
        TestPki.TRUST_DOMAIN,
        new ControlPlaneConfig.Pki(pki, any),
        JournalConfig.of(jdbcUrl),
        any,
        new ControlPlaneConfig.Log(LogFormat.TEXT, Level.WARN),
        access);
  }

  /** Where it listens, on 127.0.0.1. */
  public int port() {
    return controlPlane.port();
  }

  public int bearerPort() {
    return controlPlane.bearerPort();
  }

  public int enrollmentPort() {
    return controlPlane.enrollmentPort();
  }

  /** A client of the address for those who have no certificate. */
  public EnrollmentClient enrollment() {
    return new EnrollmentClient(
        new HostPort("127.0.0.1", controlPlane.enrollmentPort()), Optional.empty());
  }

  /** A channel with a client's certificate. */
  public ManagedChannel channel(TlsFiles client) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", controlPlane.port())
            .sslContext(client.clientContext())
            .build();
    channels.add(channel);
    return channel;
  }

  /** A channel to the listener for bearer tokens, whose certificate is of this authority. */
  public ManagedChannel bearerChannel(Path authority) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", controlPlane.bearerPort())
            .sslContext(TlsFiles.anonymousClientContext(Trust.in(PemFiles.certificates(authority))))
            .build();
    channels.add(channel);
    return channel;
  }

  public String metrics() {
    return registry.scrape();
  }

  /** Ends the streams as a stop does; fails if there was a bug. */
  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    controlPlane.close();
    temporary.ifPresent(TestControlPlane::remove);
    Throwable thrown = bug.get();
    if (thrown != null) {
      throw new AssertionError("a bug ended the core", thrown);
    }
  }

  private static void remove(Path directory) {
    if (!Files.exists(directory)) {
      // Closed before.
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops without any client's doing. */
  public void stop() {
    controlPlane.close();
  }

  public static long createDpu(ManagedChannel operator, String id, String vtep) {
    Dpu dpu = Dpu.newBuilder().setName("dpus/" + id).setVtepAddress(vtep).build();
    return DpuServiceGrpc.newBlockingStub(operator)
        .createDpu(CreateDpuRequest.newBuilder().setDpu(dpu).build())
        .getRevision();
  }

  /** Makes a tenant with one network {@code blue}. */
  public static long createTenant(ManagedChannel operator, String id) {
    Tenant tenant = Tenant.newBuilder().setName("tenants/" + id).build();
    TenantServiceGrpc.newBlockingStub(operator)
        .createTenant(CreateTenantRequest.newBuilder().setTenant(tenant).build());
    Network network =
        Network.newBuilder()
            .setName("tenants/" + id + "/networks/blue")
            .setIpv4Cidr("10.0.0.0/16")
            .build();
    return NetworkServiceGrpc.newBlockingStub(operator)
        .createNetwork(CreateNetworkRequest.newBuilder().setNetwork(network).build())
        .getRevision();
  }

  /** Makes a port in network {@code blue}. */
  public static long createPort(ManagedChannel operator, String tenant, String id, String dpu) {
    Port port =
        Port.newBuilder()
            .setName("tenants/" + tenant + "/networks/blue/ports/" + id)
            .setDpu("dpus/" + dpu)
            .setFunction("pf0vf" + id)
            .build();
    return PortServiceGrpc.newBlockingStub(operator)
        .createPort(CreatePortRequest.newBuilder().setPort(port).build())
        .getRevision();
  }
}
