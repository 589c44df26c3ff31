package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.mac;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.Lab.Daemon;
import io.gatehouse.packaging.packet.PacketSocket;
import io.gatehouse.proto.v1.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that know nothing of themselves, asked for by the clients that real hosts run. */
@ExtendWith(SharedFleet.class)
final class HostServiceIT {
  private static final String ONE = "asks-1";
  private static final String TWO = "asks-2";
  private static final String ADDRESS = "10.0.0.31";
  private static final int STORM = 3_000;

  /** A DHCPDISCOVER of udhcpc; MAC addresses are at 6 and 70. */
  private static final String DISCOVER =
      "ffffffffffff02000000003108004500014800000000401179a600000000ffffffff004400430134d90201010600"
          + "da93823d000000000000000000000000000000000000000002000000003100000000000000000000"
          + "00".repeat(192)
          + "638253633501013902024037070103060c0f1c2a3c0c756468637020312e33352e303d0701020000000031ff"
          + "00".repeat(20);

  private final Fleet fleet;
  private final Lab lab;

  @TempDir private Path directory;

  HostServiceIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @BeforeEach
  void addHosts() {
    add(ONE, "pf0vf2", 31);
    add(TWO, "pf0vf3", 32);
  }

  private void add(String name, String function, int number) {
    TenantHost bare = new TenantHost(name, 1, function, mac(number), List.of());
    lab.addHost(bare);
    lab.exec(name, "ip", "link", "set", "dev", "eth0", "mtu", "1500");
    fleet.operator().create(port(name, function, number));
  }

  private static Port port(String name, String function, int number) {
    return Fleet.port(Fleet.host(name, 1, function, number));
  }

  @AfterEach
  void removeHosts() {
    lab.run("up");
    for (String name : List.of(ONE, TWO)) {
      fleet.operator().deletePort(Fleet.ACME_NETWORK + "/ports/" + name);
      lab.removeHost(name);
    }
  }

  /** A script for a client: it keeps what it was told, by event, and uses address and MTU. */
  private Path script(String event) throws IOException {
    String text =
        """
        #!/bin/sh
        env | sort >%1$s/told.%2$s
        echo %2$s >>%1$s/events
        case $1 in bound|renew)
          ip address replace $ip/$mask dev eth0
          ip link set dev eth0 mtu $mtu
          ip route replace 169.254.0.1 dev eth0 ;;
        esac
        """
            .formatted(directory, event);
    Path file = directory.resolve("script");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private String told(String event) {
    try {
      return Files.readString(directory.resolve("told." + event));
    } catch (IOException e) {
      return "";
    }
  }

  /** Runs udhcpc until it has an answer, and as a daemon after that if that is asked for. */
  private void udhcpc(String host, String... more) throws IOException {
    lab.exec(
        host,
        CommandLines.join(
            List.of("udhcpc", "-i", "eth0", "-n", "-t", "20", "-T", "1", "-O", "mtu"),
            CommandLines.join(List.of("-O", "staticroutes", "-s", script("$1").toString()), more)));
  }

  private void dhclient(String host, String family) throws IOException {
    lab.exec(
        host,
        "dhclient",
        family,
        "-1",
        "-v",
        "-sf",
        script("$reason").toString(),
        "-lf",
        directory.resolve("leases").toString(),
        "-pf",
        directory.resolve("dhclient.pid").toString(),
        "eth0");
    lab.exec(host, "pkill", "-F", directory.resolve("dhclient.pid").toString());
  }

  @Test
  void udhcpcConfiguresAHostThatThenReachesOthers() throws Exception {
    udhcpc(ONE, "-q");

    assertThat(told("bound"))
        .contains("ip=" + ADDRESS + "\n")
        .contains("subnet=255.255.255.0\n")
        .contains("mtu=1450\n")
        .contains("lease=86400\n")
        .contains("serverid=169.254.0.1\n")
        .contains("staticroutes=169.254.0.1/32 0.0.0.0\n");
    assertThat(lab.exec(ONE, "ip", "link", "show", "dev", "eth0")).contains("mtu 1450");
    assertThat(lab.reaches(ONE, "10.0.0.2")).as("a host on another DPU").isTrue();
    assertThat(lab.exec("dpu1", "gatehouse-agent", "explain", Fleet.ACME_NETWORK + "/ports/" + ONE))
        .contains("host asked   DHCPV4_ACK");
  }

  @Test
  void dhclientIsToldTheSame() throws Exception {
    dhclient(ONE, "-4");

    assertThat(told("BOUND"))
        .contains("new_ip_address=" + ADDRESS + "\n")
        .contains("new_subnet_mask=255.255.255.0\n")
        .contains("new_interface_mtu=1450\n")
        .contains("new_dhcp_lease_time=86400\n")
        .contains("new_dhcp_server_identifier=169.254.0.1\n");
  }

  @Test
  void dhclientGetsItsIpv6Address() throws Exception {
    dhclient(ONE, "-6");

    assertThat(told("BOUND6"))
        .contains("new_ip6_address=fd00:0:0:1::31\n")
        .contains("new_max_life=86400\n")
        .contains("new_preferred_life=86400\n");
  }

  @Test
  void f10RouterAdvertisementsTellMtuAndPrefix() {
    assertThat(lab.exec(ONE, "rdisc6", "-1", "-v", "eth0"))
        .containsPattern("Stateful address conf. +: +Yes")
        .containsPattern("Router lifetime +: +0 ")
        .containsPattern("MTU +: +1450 bytes")
        .containsPattern("Prefix +: +fd00:0:0:1::/64")
        .containsPattern("On-link +: +Yes")
        .containsPattern("Autonomous address conf.: +No")
        .contains("from fe80::67:68ff:fe00:1");
    Eventually.holds(
        "the host's kernel has taken the MTU",
        () -> lab.exec(ONE, "sysctl", "net.ipv6.conf.eth0.mtu").contains("= 1450"));
  }

  @Test
  void aLeaseOutlivesTheAgentAndIsRenewedByTheNextOne() throws Exception {
    Path pid = directory.resolve("udhcpc.pid");
    udhcpc(ONE, "-p", pid.toString());
    try {
      assertThat(lab.reaches(ONE, "10.0.0.2")).isTrue();

      lab.kill(Daemon.AGENT, 1);

      assertThat(lab.reaches(ONE, "10.0.0.2")).isTrue();
      assertThat(lab.exec(ONE, "ip", "-4", "address", "show", "dev", "eth0")).contains(ADDRESS);

      lab.start(Daemon.AGENT, 1);
      fleet.awaitHealthy();
      lab.exec(ONE, "pkill", "-USR1", "-F", pid.toString());
      Eventually.holds("renewed", () -> told("renew").contains("ip=" + ADDRESS + "\n"));
    } finally {
      lab.exec(ONE, "pkill", "-F", pid.toString());
    }
  }

  @Test
  void anothersAddressIsGivenToNobodyElse() throws Exception {
    udhcpc(TWO, "-q", "-r", ADDRESS);

    assertThat(told("bound")).contains("ip=10.0.0.32\n");

    String lease =
        """
        lease {
          interface "eth0";
          fixed-address %s;
          option subnet-mask 255.255.255.0;
          option dhcp-lease-time 86400;
          option dhcp-message-type 5;
          option dhcp-server-identifier 169.254.0.1;
          renew never;
          rebind never;
          expire never;
        }
        """
            .formatted(ADDRESS);
    Files.writeString(directory.resolve("leases"), lease);
    dhclient(TWO, "-4");

    assertThat(told("BOUND")).contains("new_ip_address=10.0.0.32\n");
    assertThat(metric("gatehouse_agent_host_answers_total", "kind=\"dhcpv4_nak\"")).isPositive();
  }

  @Test
  void aStormOfOneHostCostsAnotherNoAnswer() throws Exception {
    byte[] discover = HexFormat.of().parseHex(DISCOVER);
    double before = seen();
    try (PacketSocket socket = PacketSocket.open(lab.namespace(ONE))) {
      Thread storm = new Thread(() -> storm(socket, discover), "storm");
      storm.start();
      udhcpc(TWO, "-q");
      storm.join();
    }

    assertThat(told("bound")).contains("ip=10.0.0.32\n");
    assertThat(seen() - before)
        .as("questions that the switch's meter let through to the agent")
        .isBetween(1.0, STORM / 4.0);
  }

  /** Questions that the agent has answered or dropped. */
  private double seen() {
    return metric("gatehouse_agent_host_answers_total", "kind=")
        + metric("gatehouse_agent_host_drops_total", "reason=");
  }

  /** A thousand a second. */
  private static void storm(PacketSocket socket, byte[] frame) {
    for (int i = 0; i < STORM; i++) {
      socket.send(frame);
      try {
        TimeUnit.MILLISECONDS.sleep(1);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private double metric(String name, String label) {
    return Metrics.ofAgent(lab, 1).sum(name, label);
  }
}
