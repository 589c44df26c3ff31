package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.Lab.Daemon;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The lab itself, without Gatehouse's programs: what the other tests stand on. Two hosts on two
 * DPUs are joined by hand-made flows; the steps follow one another.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LabNetworkIT {
  private static final String BRIDGE = "gh-int";
  private static Lab lab;

  @BeforeAll
  static void makeLab() {
    lab = Lab.networkOnly(2);
    lab.addHost(host("left", 1));
    lab.addHost(host("right", 2));
    lab.addHost(new TenantHost("alone", 1, "pf0vf1", "02:00:00:00:00:02", List.of("10.0.0.2/24")));
    joinByHand(1, "172.16.2.1");
    joinByHand(2, "172.16.1.1");
  }

  @AfterAll
  static void removeLab() throws Exception {
    lab.close();
    assertThat(lab.places()).isEmpty();
    assertThat(lab.directory()).doesNotExist();
    lab.close(); // a second time there is nothing to do, and that is no error
  }

  @Test
  @Order(1)
  void underlayIsRouted() {
    assertThat(lab.reaches("dpu1", "172.16.2.1")).isTrue();
    assertThat(lab.reaches("dpu2", "172.31.0.1")).isTrue();
    // Leaf, spine, leaf: each answers for the packet that dies there.
    List<String> routers = List.of("172.16.1.254", "172.30.1.1", "172.30.2.2");
    for (int hop = 1; hop <= routers.size(); hop++) {
      assertThat(
              lab.tryRun("exec", "dpu1", "ping", "-c1", "-W2", "-t" + hop, "172.16.2.1").output())
          .contains("From " + routers.get(hop - 1));
    }
  }

  @Test
  @Order(2)
  void hostsAreWhereTheirFunctionsLead() {
    assertThat(lab.reaches("left", "10.0.0.2")).isTrue();
    assertThat(lab.reaches("left", "fd00:0:0:1::2")).isTrue();
    assertThat(lab.isCutOff("alone", "10.0.0.1")).isTrue();
  }

  @Test
  @Order(3)
  void probeCountsExactly() throws Exception {
    UdpProbe probe = lab.probe("left", "right", InetAddress.getByName("10.0.0.2"));
    probe.awaitArrival(Duration.ofSeconds(5));
    lab.stop(Daemon.VSWITCHD, 2);
    UdpProbe dark = lab.probe("left", "right", InetAddress.getByName("10.0.0.2"));
    lab.start(Daemon.VSWITCHD, 2);
    UdpProbe.Outcome nothing = dark.stop();
    UdpProbe.Outcome outcome = probe.stop();

    // Flows that were made by hand are gone with the daemon, so all since then is lost, in one run.
    assertThat(nothing.lost()).isPositive().isEqualTo(nothing.sent());
    assertThat(outcome.sent()).isGreaterThan(outcome.lost()).isGreaterThan(nothing.sent());
    assertThat(outcome.longestOutage()).isEqualTo(UdpProbe.INTERVAL.multipliedBy(outcome.lost()));
    assertThat(outcome.repeated()).isZero();
    assertThat(outcome.foreign()).isZero();
  }

  @Test
  @Order(4)
  void nothingIsLostWhileNothingHappens() throws Exception {
    joinByHand(2, "172.16.1.1");
    assertThat(lab.reaches("left", "10.0.0.2")).isTrue();
    for (String address : List.of("10.0.0.2", "fd00:0:0:1::2")) {
      UdpProbe probe = lab.probe("left", "right", InetAddress.getByName(address));
      for (int i = 0; i < 50; i++) {
        probe.awaitArrival(Duration.ofSeconds(5));
      }
      assertThat(probe.stop().lost()).as(address).isZero();
    }
  }

  @Test
  @Order(5)
  void diedIsToldFromStopped() {
    lab.stop(Daemon.VSWITCHD, 1);
    assertThat(lab.run("status")).containsPattern("dpu1 vswitchd +stopped");
    lab.exec(
        "dpu2", "pkill", "--signal", "KILL", "--pidfile", lab.directory() + "/dpu2/vswitchd.pid");
    CommandResult status = lab.tryRun("status");
    assertThat(status.status()).isEqualTo(3);
    assertThat(status.output()).containsPattern("dpu2 vswitchd +died");
  }

  @Test
  @Order(6)
  void upRepairsAndChangesNothingElse() throws Exception {
    String settings = Files.readString(lab.directory().resolve("dpu1/agent.yaml"));
    assertThat(lab.run("up", "--no-agents"))
        .contains("was there already")
        .containsPattern("dpu1 vswitchd +running")
        .containsPattern("dpu2 vswitchd +running");
    assertThat(lab.run("status")).containsPattern("dpu1 pf0vf0 +up +1500 +host left");
    assertThat(Files.readString(lab.directory().resolve("dpu1/agent.yaml"))).isEqualTo(settings);
    assertThat(lab.reaches("dpu1", "172.16.2.1")).isTrue();
  }

  @Test
  @Order(7)
  void wrongWordsAreNamed() {
    assertThat(lab.tryRun("exec", "nowhere", "true").output())
        .contains("unknown place 'nowhere'", "alone", "dpu2", "left");
    assertThat(lab.tryRun("stop", "agnet").status()).isEqualTo(2);
    assertThat(lab.tryRun("stop", "vswitchd", "9").output()).contains("known: dpu1 dpu2");
    assertThat(lab.tryRun("up", "--dpus", "1").output()).contains("cannot shrink");
    assertThat(lab.tryRun(host("third", 1).addCommand()).output()).contains("taken by host left");
    assertThat(lab.tryRun("exec", "left", "sh", "-c", "exit 7").status()).isEqualTo(7);
  }

  @Test
  @Order(8)
  void functionComesBackWhenItsHostGoes() throws Exception {
    lab.removeHost("left");
    assertThat(lab.places()).doesNotContain("left");
    lab.addHost(host("third", 1));
    assertThat(lab.exec("third", "ip", "-brief", "address", "show", "eth0"))
        .contains("10.0.0.1/24");
  }

  private static TenantHost host(String name, int number) {
    return new TenantHost(
        name,
        number,
        "pf0vf0",
        "02:00:00:00:00:0" + number,
        List.of("10.0.0." + number + "/24", "fd00:0:0:1::" + number + "/64"));
  }

  private static void joinByHand(int dpu, String peer) {
    String number = String.valueOf(dpu);
    lab.run(
        "vsctl",
        number,
        "--timeout=15",
        "--",
        "--may-exist",
        "add-br",
        BRIDGE,
        "--",
        "set",
        "bridge",
        BRIDGE,
        "datapath_type=netdev",
        "fail_mode=secure",
        "--",
        "--may-exist",
        "add-port",
        BRIDGE,
        "pf0vf0",
        "--",
        "set",
        "interface",
        "pf0vf0",
        "ofport_request=1",
        "--",
        "--may-exist",
        "add-port",
        BRIDGE,
        "vx0",
        "--",
        "set",
        "interface",
        "vx0",
        "type=vxlan",
        "ofport_request=100",
        "options:remote_ip=flow",
        "options:key=flow");
    lab.run(
        "ofctl",
        number,
        "add-flow",
        BRIDGE,
        "in_port=1,actions=set_field:5001->tun_id,set_field:" + peer + "->tun_dst,output:100");
    lab.run("ofctl", number, "add-flow", BRIDGE, "in_port=100,tun_id=5001,actions=output:1");
  }
}
