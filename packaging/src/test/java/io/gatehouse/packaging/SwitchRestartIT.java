package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.Lab.Daemon;
import io.gatehouse.packaging.UdpProbe.Outcome;
import io.gatehouse.packaging.packet.PacketSocket;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Open vSwitch ends and comes back, without its flows and perhaps without its devices. */
@ExtendWith(SharedFleet.class)
final class SwitchRestartIT {
  private final Fleet fleet;
  private final Lab lab;

  SwitchRestartIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @AfterEach
  void allRuns() {
    lab.run("up");
  }

  @Test
  void f12F13KilledSwitchIsRepairedAndNoPacketGoesWrong() throws Exception {
    try (PacketSocket globex1 = fleet.tap("globex-1");
        PacketSocket globex2 = fleet.tap("globex-2");
        PacketSocket acme2 = fleet.tap("acme-2")) {
      UdpProbe acme = lab.probe("acme-1", "acme-2", InetAddress.getByName("10.0.0.2"));
      UdpProbe globex = lab.probe("globex-1", "globex-2", InetAddress.getByName("10.0.0.2"));
      acme.awaitArrival(Eventually.LIMIT);
      globex.awaitArrival(Eventually.LIMIT);
      for (int dpu : new int[] {2, 1}) {
        lab.kill(Daemon.VSWITCHD, dpu);
        lab.start(Daemon.VSWITCHD, dpu);
        acme.awaitArrival(Eventually.LIMIT);
        globex.awaitArrival(Eventually.LIMIT);
      }
      Outcome seen = acme.stop();
      System.out.printf(
          "ovs-vswitchd killed and started on two DPUs, one after the other: longest outage %d ms%n",
          seen.longestOutage().toMillis());
      assertThat(seen.foreign()).isZero();
      assertThat(globex.stop().foreign()).isZero();
      assertThat(globex1.count(acme.mark()) + globex2.count(acme.mark())).isZero();
      assertThat(acme2.count(globex.mark())).isZero();
    }
    fleet.awaitHealthy();
    for (int dpu : new int[] {1, 2}) {
      assertThat(fleet.vsctl(dpu, "get", "Open_vSwitch", ".", "other_config"))
          .doesNotContain("flow-restore-wait=\"true\"");
    }
  }

  @Test
  void databaseThatRestartsIsReadAnew() throws Exception {
    UdpProbe probe = lab.probe("acme-1", "acme-2", InetAddress.getByName("10.0.0.2"));
    probe.awaitArrival(Eventually.LIMIT);
    lab.restart(Daemon.OVSDB, 1);
    fleet.awaitHealthy();
    TenantHost host = Fleet.host("later", 1, "pf0vf2", 25);
    lab.addHost(host);
    try {
      fleet.operator().create(Fleet.port(host));
      assertThat(lab.reaches("later", "10.0.0.2")).isTrue();
    } finally {
      fleet.operator().deletePort(Fleet.port(host).getName());
      lab.removeHost("later");
    }
    probe.awaitArrival(Eventually.LIMIT);
    assertThat(probe.stop().foreign()).isZero();
  }

  @Test
  void f16AddressAndRouteComeBackWithTheDevice() {
    lab.exec("dpu1", "ovs-appctl", "exit", "--cleanup");
    // Its device goes with it; the record of the lab still names the process that has ended.
    Eventually.holds(
        "br-phy is gone",
        () -> lab.tryRun("exec", "dpu1", "ip", "link", "show", "dev", "br-phy").status() != 0);
    Eventually.holds(
        "ovs-vswitchd has ended",
        () -> lab.tryRun("status").output().matches("(?s).*dpu1 vswitchd +died.*"));
    lab.start(Daemon.VSWITCHD, 1);
    Eventually.holds(
        "the VTEP's address is back",
        () -> lab.exec("dpu1", "ip", "address", "show", "dev", "br-phy").contains("172.16.1.1/24"));
    fleet.awaitHealthy();
    assertThat(lab.exec("dpu1", "ip", "route")).contains("default via 172.16.1.254");
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }

  @Test
  void functionThatIsMadeAnewWorksAgain() {
    TenantHost host = Fleet.host("reborn", 1, "pf0vf3", 26);
    lab.addHost(host);
    try {
      fleet.operator().create(Fleet.port(host));
      assertThat(lab.reaches("reborn", "10.0.0.2")).isTrue();
      lab.exec("dpu1", "ip", "link", "delete", "dev", "pf0vf3");
      remake(host);
      assertThat(lab.reaches("reborn", "10.0.0.2")).isTrue();
      fleet.awaitHealthy();
      assertThat(lab.exec("dpu1", "nft", "list", "table", "netdev", "gatehouse"))
          .contains("pf0vf3");
    } finally {
      fleet.operator().deletePort(Fleet.port(host).getName());
      lab.removeHost("reborn");
    }
  }

  private void remake(TenantHost host) {
    String place = lab.namespace(host.name()).name();
    lab.exec(
        "dpu1",
        CommandLines.join(
            List.of("ip", "link", "add", "name", host.function(), "mtu", "1500"),
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "mtu",
            "1450",
            "netns",
            place));
    lab.exec("dpu1", "ethtool", "-K", host.function(), "tx", "off", "tso", "off", "gso", "off");
    lab.exec(host.name(), "ip", "link", "set", "dev", "eth0", "address", host.mac(), "up");
    lab.exec(host.name(), "ethtool", "-K", "eth0", "tx", "off", "tso", "off", "gso", "off");
    host.addresses()
        .forEach(ip -> lab.exec(host.name(), "ip", "address", "replace", ip, "dev", "eth0"));
  }
}
