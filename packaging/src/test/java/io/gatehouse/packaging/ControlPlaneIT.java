package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.DeletePortRequest;
import io.gatehouse.proto.v1.DeleteTenantRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The control plane away, killed, cut off, or asked by the wrong one. */
@ExtendWith(SharedFleet.class)
final class ControlPlaneIT {
  private final Fleet fleet;
  private final Lab lab;
  private final Operator operator;

  ControlPlaneIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
    this.operator = fleet.operator();
  }

  @AfterEach
  void allRuns() {
    lab.run("up");
    join();
    fleet.applyTenants();
  }

  @Test
  void outageStopsNothingAndReturnCostsNothing() throws Exception {
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
    UdpProbe probe = lab.probe("acme-1", "acme-2", InetAddress.getByName("10.0.0.2"));
    probe.awaitArrival(Eventually.LIMIT);
    lab.stopControlPlane();
    Eventually.holds("the agent says how old its news is", () -> syncAge(1) > 10);
    assertThat(lab.exec("dpu1", "gatehouse-agent", "status")).contains("not connected");
    lab.startControlPlane();
    fleet.awaitHealthy();
    assertThat(syncAge(1)).isLessThan(10);
    Metrics metrics = Metrics.ofControlPlane(lab);
    assertThat(metrics.lines()).anyMatch(line -> line.startsWith("gatehouse_sync_config_sent"));
    assertThat(metrics.sum("gatehouse_sync_config_sent_bytes_total")).isZero();
    probe.awaitArrival(Eventually.LIMIT);
    assertThat(probe.stop().lost()).isZero();
  }

  private double syncAge(int dpu) {
    return Metrics.ofAgent(lab, dpu).sum("gatehouse_agent_sync_age_seconds");
  }

  @Test
  void killLosesNoAcknowledgedChange() throws Exception {
    List<String> acknowledged = new CopyOnWriteArrayList<>();
    Thread changes = new Thread(() -> createUntilRefused(acknowledged), "changes");
    changes.start();
    Eventually.holds("some are acknowledged", () -> acknowledged.size() >= 20);
    lab.killControlPlane();
    changes.join();
    lab.startControlPlane();
    List<String> there =
        operator
            .tenants()
            .listTenants(ListTenantsRequest.newBuilder().setPageSize(1000).build())
            .getTenantsList()
            .stream()
            .map(Tenant::getName)
            .toList();
    assertThat(there).containsAll(acknowledged);
    for (String tenant : there) {
      if (tenant.startsWith("tenants/burst-")) {
        var unused =
            operator
                .tenants()
                .deleteTenant(DeleteTenantRequest.newBuilder().setName(tenant).build());
      }
    }
  }

  private void createUntilRefused(List<String> acknowledged) {
    try (Operator own = Operator.of(lab)) {
      for (int i = 0; ; i++) {
        String name = "tenants/burst-" + i;
        // It must not wait for the control plane to come back.
        var unused =
            TenantServiceGrpc.newBlockingStub(own.channel())
                .withDeadlineAfter(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .createTenant(
                    CreateTenantRequest.newBuilder()
                        .setTenant(Tenant.newBuilder().setName(name))
                        .build());
        acknowledged.add(name);
      }
    } catch (StatusRuntimeException e) {
      // The control plane has been killed.
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void f42HalfOpenConnectionIsNoticedByBothEnds() {
    cut(1);
    Eventually.holds(
        "the control plane notices", () -> !operator.dpu(1).getStatus().getConnected());
    Eventually.holds(
        "the agent notices",
        () -> lab.exec("dpu1", "gatehouse-agent", "status").contains("not connected"));
    TenantHost host = Fleet.host("meanwhile", 1, "pf0vf2", 27);
    lab.addHost(host);
    try {
      long revision =
          operator
              .ports()
              .createPort(CreatePortRequest.newBuilder().setPort(Fleet.port(host)).build())
              .getRevision();
      join();
      operator.await(revision);
      assertThat(lab.reaches("meanwhile", "10.0.0.2")).isTrue();
    } finally {
      join();
      operator.deletePort(Fleet.port(host).getName());
      lab.removeHost("meanwhile");
    }
  }

  @Test
  void dpuThatIsNoLongerRegisteredClosesItsTenants() {
    cut(3);
    Eventually.holds("DPU 3 is cut off", () -> !operator.dpu(3).getStatus().getConnected());
    for (String port :
        List.of("acme/networks/train/ports/acme-3", "globex/networks/train/ports/globex-4")) {
      var unused =
          operator
              .ports()
              .deletePort(DeletePortRequest.newBuilder().setName("tenants/" + port).build());
    }
    operator.deleteDpu(3);
    assertThat(fleet.vsctl(3, "list-ports", "gh-int")).contains("pf0vf0", "pf0vf1");
    join();
    Eventually.holds(
        "its tenants' ports are closed",
        () -> !fleet.vsctl(3, "list-ports", "gh-int").contains("pf0vf"));
    assertThat(lab.isCutOff("acme-3", "10.0.0.4")).isTrue();
    operator.createDpu(3);
    fleet.applyTenants();
    fleet.awaitHealthy();
    assertThat(lab.reaches("acme-3", "10.0.0.1")).isTrue();
    assertThat(lab.reaches("globex-4", "10.0.0.1")).isTrue();
  }

  @Test
  void certificateSaysWhoMayDoWhat() throws Exception {
    try (Operator dpu = Operator.asDpu(lab, 1)) {
      assertThatThrownBy(() -> dpu.tenants().listTenants(ListTenantsRequest.getDefaultInstance()))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("PERMISSION_DENIED");
    }
    assertThat(endOfSync(operator).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    CommandResult anonymous =
        lab.tryRun(
            "exec",
            "control",
            "timeout",
            "20",
            "openssl",
            "s_client",
            "-connect",
            "172.31.0.1:8443",
            "-alpn",
            "h2",
            "-CAfile",
            lab.directory() + "/control/context-identity/roots.pem");
    assertThat(anonymous.output()).contains("alert certificate required");
  }

  private static Status endOfSync(Operator as) throws Exception {
    CompletableFuture<Status> end = new CompletableFuture<>();
    StreamObserver<SyncRequest> requests =
        SyncServiceGrpc.newStub(as.channel())
            .sync(
                new StreamObserver<SyncResponse>() {
                  @Override
                  public void onNext(SyncResponse response) {
                    end.complete(Status.OK);
                  }

                  @Override
                  public void onError(Throwable cause) {
                    end.complete(Status.fromThrowable(cause));
                  }

                  @Override
                  public void onCompleted() {
                    end.complete(Status.OK);
                  }
                });
    Status status = end.get(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS);
    requests.onError(Status.CANCELLED.asException());
    return status;
  }

  /** Drops what passes between a DPU and the control plane, in the middle of the fabric. */
  private void cut(int dpu) {
    lab.exec(
        "fabric",
        "nft",
        "table inet cut { chain forward { type filter hook forward priority 0; ip saddr 172.16."
            + dpu
            + ".1 ip daddr 172.31.0.1 drop; ip daddr 172.16."
            + dpu
            + ".1 ip saddr 172.31.0.1 drop; }; }");
  }

  private void join() {
    lab.tryRun("exec", "fabric", "nft", "delete", "table", "inet", "cut");
  }
}
