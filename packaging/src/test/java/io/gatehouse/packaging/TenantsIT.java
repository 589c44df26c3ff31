package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.ACME;
import static io.gatehouse.packaging.Fleet.mac;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.packet.Frames;
import io.gatehouse.packaging.packet.Frames.Ends;
import io.gatehouse.packaging.packet.Mark;
import io.gatehouse.packaging.packet.PacketSocket;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortAdminState;
import io.gatehouse.proto.v1.TenantState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two tenants with the same addresses on three DPUs: who reaches whom, and as what changes. */
@ExtendWith(SharedFleet.class)
final class TenantsIT {
  private final Fleet fleet;
  private final Lab lab;
  private final Operator operator;

  TenantsIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
    this.operator = fleet.operator();
  }

  @AfterEach
  void allIsAsTheDemoHasIt() {
    fleet.applyTenants();
  }

  @Test
  void insideATenantAllReachAll() {
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
    assertThat(lab.reaches("acme-2", "fd00:0:0:1::3")).isTrue();
    assertThat(lab.reaches("globex-1", "10.0.0.2")).isTrue();
    assertThat(lab.reaches("globex-4", "fd00:0:0:1::1")).isTrue();
  }

  @Test
  void f29NothingPassesBetweenTenantsWithTheSameAddresses() throws Exception {
    assertThat(lab.isCutOff("acme-1", "10.0.0.4")).isTrue();
    assertThat(lab.isCutOff("globex-1", "fd00:0:0:1::3")).isTrue();
    Mark mark = Mark.of("from acme-1");
    byte[] frame = Frames.udp(Ends.of(mac(1), mac(2)), "10.0.0.1", "10.0.0.2", mark);
    try (PacketSocket sender = fleet.tap("acme-1");
        PacketSocket acme = fleet.tap("acme-2");
        PacketSocket globex = fleet.tap("globex-2")) {
      acme.await(mark, () -> sender.send(frame), Eventually.LIMIT);
      assertThat(globex.count(mark)).isZero();
    }
  }

  @Test
  void statusAndExplainSayWhatIs() {
    assertThat(lab.gatehouse("status")).contains("3 of 3 DPUs are current");
    assertThat(lab.gatehouse("explain", "acme/train/acme-1"))
        .contains("dpu1, function pf0vf0", "OpenFlow port", "READY", "CLASSIFY", "FORWARD");
    assertThat(lab.exec("dpu1", "gatehouse-agent", "status")).contains("connected", "2 ports here");
  }

  @Test
  void f19OfADeletedPortNothingStays() {
    TenantHost host = Fleet.host("short", 1, "pf0vf2", 21);
    lab.addHost(host);
    try {
      operator.create(Fleet.port(host));
      assertThat(lab.reaches("short", "10.0.0.2")).isTrue();
      assertThat(fleet.vsctl(1, "list-ports", "gh-int")).contains("pf0vf2");
      assertThat(fleet.flows(2)).anyMatch(flow -> flow.contains(host.mac()));
      operator.deletePort(Fleet.port(host).getName());
      assertThat(fleet.vsctl(1, "list-ports", "gh-int")).doesNotContain("pf0vf2");
      for (int dpu = 1; dpu <= Fleet.DPUS; dpu++) {
        assertThat(fleet.flows(dpu))
            .noneMatch(flow -> flow.contains(host.mac()) || flow.contains("10.0.0.21"));
      }
      assertThat(lab.isCutOff("short", "10.0.0.2")).isTrue();
    } finally {
      lab.removeHost("short");
    }
  }

  @Test
  void portThatMovesIsFollowed() throws Exception {
    TenantHost before = Fleet.host("roam-1", 1, "pf0vf2", 22);
    TenantHost after = Fleet.host("roam-2", 2, "pf0vf2", 22);
    lab.addHost(before);
    lab.addHost(after);
    Port port = operator.create(Fleet.port(before));
    try (PacketSocket peer = fleet.tap("acme-3");
        PacketSocket old = fleet.tap("roam-1");
        PacketSocket now = fleet.tap("roam-2")) {
      Mark first = Mark.of("before the move");
      old.await(first, () -> peer.send(toRoaming(first)), Eventually.LIMIT);
      operator.update(port.toBuilder().setDpu("dpus/dpu2").build(), "dpu");
      long arrived = old.count(first);
      Mark second = Mark.of("after the move");
      now.await(second, () -> peer.send(toRoaming(second)), Eventually.LIMIT);
      assertThat(old.count(first)).isEqualTo(arrived);
      assertThat(old.count(second)).isZero();
      assertThat(lab.isCutOff("roam-1", "10.0.0.3")).isTrue();
      assertThat(lab.reaches("roam-2", "10.0.0.3")).isTrue();
    } finally {
      operator.deletePort(port.getName());
      lab.removeHost("roam-1");
      lab.removeHost("roam-2");
    }
  }

  private static byte[] toRoaming(Mark mark) {
    return Frames.udp(Ends.of(mac(3), mac(22)), "10.0.0.3", "10.0.0.22", mark);
  }

  @Test
  void disabledPortIsClosed() {
    String name = Fleet.ACME_NETWORK + "/ports/acme-2";
    Port port = Port.newBuilder().setName(name).build();
    operator.update(with(port, PortAdminState.PORT_ADMIN_STATE_DISABLED), "admin_state");
    for (String peer : List.of("acme-1", "acme-3")) {
      assertThat(lab.isCutOff(peer, "10.0.0.2")).isTrue();
    }
    assertThat(lab.reaches("acme-1", "10.0.0.3")).isTrue();
    assertThat(lab.reaches("globex-1", "10.0.0.2")).isTrue();
    operator.update(with(port, PortAdminState.PORT_ADMIN_STATE_ENABLED), "admin_state");
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }

  private static Port with(Port port, PortAdminState state) {
    return port.toBuilder().setAdminState(state).build();
  }

  @Test
  void suspendedTenantIsClosedAndTheOtherIsNot() {
    operator.set(ACME, TenantState.TENANT_STATE_SUSPENDED);
    assertThat(lab.isCutOff("acme-1", "10.0.0.2")).isTrue();
    assertThat(lab.isCutOff("acme-2", "fd00:0:0:1::3")).isTrue();
    assertThat(lab.reaches("globex-1", "10.0.0.2")).isTrue();
    operator.set(ACME, TenantState.TENANT_STATE_ACTIVE);
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }
}
