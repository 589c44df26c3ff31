package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two DPUs over an underlay of IPv6 alone, and hosts that believe in 9000 bytes. */
final class Ipv6UnderlayIT {
  private static final String NETWORK = "acme/blue";
  private static Lab lab;

  @BeforeAll
  static void makeLab() {
    lab = Lab.overIpv6(2);
    lab.gatehouse("tenant", "create", "acme");
    lab.gatehouse(
        "network", "create", NETWORK, "--ipv4", "10.0.0.0/24", "--ipv6", "fd00:0:0:1::/64");
    for (int dpu = 1; dpu <= 2; dpu++) {
      TenantHost host = Fleet.host("blue-" + dpu, dpu, "pf0vf0", dpu);
      lab.addHost(host);
      lab.exec(host.name(), "sysctl", "-qw", "net.ipv6.conf.eth0.accept_ra=0");
      lab.exec(host.name(), "ip", "link", "set", "dev", "eth0", "mtu", "9000");
      lab.gatehouse(
          "port",
          "create",
          NETWORK + "/" + host.name(),
          "--dpu",
          "dpu" + dpu,
          "--function",
          host.function(),
          "--mac",
          host.mac(),
          "--ip",
          "10.0.0." + dpu,
          "--ip",
          "fd00:0:0:1::" + dpu,
          "--wait");
    }
  }

  @AfterAll
  static void removeLab() {
    lab.close();
  }

  @Test
  void f08ANetworkOverIpv6HasSeventyBytesLess() {
    assertThat(lab.gatehouse("mtu", "explain", NETWORK))
        .contains("1430 in force")
        .containsPattern("-40 +IPv6 header")
        .containsPattern("1430 +largest that fits");

    assertThat(ping("10.0.0.2", 1_430 - 28)).contains("2 received");
    assertThat(ping("10.0.0.2", 1_431 - 28))
        .contains("Frag needed and DF set (mtu = 1430)")
        .contains("0 received");
    assertThat(ping("fd00:0:0:1::2", 1_430 - 48)).contains("2 received");
    assertThat(ping("fd00:0:0:1::2", 1_431 - 48))
        .contains("Packet too big: mtu=1430")
        .contains("0 received");
  }

  @Test
  void itsPathsAreProvenAndAHopThatIsTooSmallIsFound() {
    awaitMap("(?s).*dpu1 +\\. +1500\\s+dpu2 +1500 +\\..*");
    lab.run("hop", "1", "1400");
    awaitMap("(?s).*dpu1 +\\. +1400!\\s+dpu2 +1400! +\\..*");
    lab.run("hop", "1", "1500");
    awaitMap("(?s).*dpu1 +\\. +1500\\s+dpu2 +1500 +\\..*");
  }

  private static void awaitMap(String pattern) {
    Eventually.holds("the map is " + pattern, () -> map().matches(pattern), Ipv6UnderlayIT::map);
  }

  private static String map() {
    return lab.tryRun("gatehouse", "mtu", "map").output();
  }

  private static String ping(String to, int payload) {
    List<String> command = List.of("exec", "blue-1", "ping", "-n", "-c", "2", "-W", "5");
    return lab.tryRun(CommandLines.join(command, "-M", "do", "-s", "" + payload, to)).output();
  }
}
