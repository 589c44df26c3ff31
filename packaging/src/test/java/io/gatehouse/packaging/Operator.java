package io.gatehouse.packaging;

import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import io.gatehouse.proto.v1.CreateDpuRequest;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.CreateSecurityGroupRequest;
import io.gatehouse.proto.v1.DeleteDpuRequest;
import io.gatehouse.proto.v1.DeletePortRequest;
import io.gatehouse.proto.v1.DeleteSecurityGroupRequest;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetDpuRequest;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.SecurityGroup;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.TenantState;
import io.gatehouse.proto.v1.UpdatePortRequest;
import io.gatehouse.proto.v1.UpdateSecurityGroupRequest;
import io.gatehouse.proto.v1.UpdateTenantRequest;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.proto.v1.WaitForRevisionResponse;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractStub;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The lab's control plane as gRPC over mutual TLS, from inside the lab, without the start of a
 * process for each call. A change returns its revision; {@link #await(long)} returns once every DPU
 * has read that back.
 */
public final class Operator implements AutoCloseable {
  private static final InetSocketAddress TARGET = new InetSocketAddress("172.31.0.1", 8443);
  private static final String SERVER_NAME = "control-plane.gatehouse.test";

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  private Operator(NetworkNamespace place, TlsPaths tls) {
    // A socket stays in the namespace in which it was made, whoever uses it.
    this.channel =
        NettyChannelBuilder.forAddress(TARGET)
            .overrideAuthority(SERVER_NAME)
            .sslContext(TlsFiles.open(tls).clientContext())
            .channelFactory(() -> place.inside(NioSocketChannel::new))
            .eventLoopGroup(loops)
            .build();
  }

  /** With the operator's certificate, beside the control plane. */
  public static Operator of(Lab lab) {
    return with(lab, "control", "control/context-identity");
  }

  /** With a DPU's certificate, from that DPU. */
  static Operator asDpu(Lab lab, int dpu) {
    return with(lab, "dpu" + dpu, "dpu" + dpu + "/identity");
  }

  private static Operator with(Lab lab, String place, String folder) {
    return new Operator(
        lab.namespace(place), new IdentityFiles(lab.directory().resolve(folder)).paths());
  }

  ManagedChannel channel() {
    return channel;
  }

  TenantServiceGrpc.TenantServiceBlockingStub tenants() {
    return limited(TenantServiceGrpc.newBlockingStub(channel));
  }

  public NetworkServiceGrpc.NetworkServiceBlockingStub networks() {
    return limited(NetworkServiceGrpc.newBlockingStub(channel));
  }

  public PortServiceGrpc.PortServiceBlockingStub ports() {
    return limited(PortServiceGrpc.newBlockingStub(channel));
  }

  SecurityGroupServiceGrpc.SecurityGroupServiceBlockingStub groups() {
    return limited(SecurityGroupServiceGrpc.newBlockingStub(channel));
  }

  DpuServiceGrpc.DpuServiceBlockingStub dpus() {
    return limited(DpuServiceGrpc.newBlockingStub(channel));
  }

  FleetServiceGrpc.FleetServiceBlockingStub fleet() {
    return limited(FleetServiceGrpc.newBlockingStub(channel));
  }

  /** Returns once every DPU that a revision concerns has read it back; 0 is the newest. */
  public GetFleetStatusResponse await(long revision) {
    WaitForRevisionResponse answer =
        fleet()
            .waitForRevision(
                WaitForRevisionRequest.newBuilder()
                    .setRevision(revision)
                    .setTimeout(Duration.newBuilder().setSeconds(60))
                    .build());
    if (!answer.getReached()) {
      throw new AssertionError("revision " + revision + " is not real: " + answer.getStatus());
    }
    return answer.getStatus();
  }

  /** Creates a port and waits until it is real. */
  public Port create(Port port) {
    var created = ports().createPort(CreatePortRequest.newBuilder().setPort(port).build());
    await(created.getRevision());
    return created.getPort();
  }

  /** Changes the named fields of a port and waits until that is real. */
  void update(Port port, String... fields) {
    FieldMask mask = FieldMask.newBuilder().addAllPaths(Arrays.asList(fields)).build();
    var request = UpdatePortRequest.newBuilder().setPort(port).setUpdateMask(mask).build();
    await(ports().updatePort(request).getRevision());
  }

  /** Deletes a port and waits until that is real. */
  public void deletePort(String name) {
    await(ports().deletePort(DeletePortRequest.newBuilder().setName(name).build()).getRevision());
  }

  /** Creates a security group and waits until it is real. */
  public void createGroup(SecurityGroup group) {
    var request = CreateSecurityGroupRequest.newBuilder().setSecurityGroup(group).build();
    await(groups().createSecurityGroup(request).getRevision());
  }

  /** Replaces the rules of a security group and waits until that is real. */
  public void updateRules(SecurityGroup group) {
    var request =
        UpdateSecurityGroupRequest.newBuilder()
            .setSecurityGroup(group)
            .setUpdateMask(FieldMask.newBuilder().addPaths("rules"))
            .build();
    await(groups().updateSecurityGroup(request).getRevision());
  }

  /** Deletes a security group. */
  void deleteGroup(String name) {
    var request = DeleteSecurityGroupRequest.newBuilder().setName(name).build();
    await(groups().deleteSecurityGroup(request).getRevision());
  }

  /** Suspends a tenant or takes it back, and waits until that is real. */
  void set(String tenant, TenantState state) {
    var request =
        UpdateTenantRequest.newBuilder()
            .setTenant(Tenant.newBuilder().setName(tenant).setState(state))
            .setUpdateMask(FieldMask.newBuilder().addPaths("state"))
            .build();
    await(tenants().updateTenant(request).getRevision());
  }

  /** Registers DPU n of the lab, unless it is. */
  public void createDpu(int n) {
    Dpu dpu =
        Dpu.newBuilder()
            .setName("dpus/dpu" + n)
            .setVtepAddress("172.16." + n + ".1")
            .setUnderlayMtuBytes(1500)
            .build();
    try {
      dpus().createDpu(CreateDpuRequest.newBuilder().setDpu(dpu).build());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  void deleteDpu(int n) {
    dpus().deleteDpu(DeleteDpuRequest.newBuilder().setName("dpus/dpu" + n).build());
  }

  Dpu dpu(int n) {
    return dpus().getDpu(GetDpuRequest.newBuilder().setName("dpus/dpu" + n).build()).getDpu();
  }

  /** Waits for a server that has just been started, as long as any call may take. */
  private static <S extends AbstractStub<S>> S limited(S stub) {
    return stub.withWaitForReady()
        .withDeadlineAfter(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
