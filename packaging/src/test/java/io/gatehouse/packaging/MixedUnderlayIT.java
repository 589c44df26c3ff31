package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** DPUs 2 and 3 with an underlay of 9000 and a network of their own, beside DPU 1 with 1500. */
@ExtendWith(SharedFleet.class)
@TestInstance(Lifecycle.PER_CLASS)
final class MixedUnderlayIT {
  private static final String NETWORK = "acme/jumbo";
  private static final List<Integer> LARGE = List.of(2, 3);

  private final Lab lab;

  MixedUnderlayIT(Fleet fleet) {
    this.lab = fleet.lab();
  }

  @BeforeAll
  void enlarge() {
    LARGE.forEach(dpu -> setUnderlay(dpu, "9000"));
    lab.gatehouse("network", "create", NETWORK, "--ipv4", "10.7.0.0/24");
    for (int dpu : LARGE) {
      TenantHost host =
          new TenantHost(
              "jumbo-" + dpu, dpu, "pf0vf2", Fleet.mac(70 + dpu), List.of("10.7.0." + dpu + "/24"));
      lab.addHost(host);
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
          "10.7.0." + dpu,
          "--wait");
    }
  }

  @AfterAll
  void shrink() {
    for (int dpu : LARGE) {
      lab.gatehouse("port", "delete", NETWORK + "/jumbo-" + dpu);
      lab.removeHost("jumbo-" + dpu);
    }
    lab.gatehouse("network", "delete", NETWORK);
    LARGE.forEach(dpu -> setUnderlay(dpu, "1500"));
  }

  /** First the way becomes larger and then what is declared, or the other way round. */
  private void setUnderlay(int dpu, String bytes) {
    String number = Integer.toString(dpu);
    lab.run("uplink", number, bytes);
    lab.gatehouse("dpu", "update", "dpu" + dpu, "--underlay-mtu", bytes, "--wait");
  }

  @Test
  void aNetworkHasWhatTheSmallestOfItsOwnDpusCarries() {
    awaitOutput("8950 in force", "mtu", "explain", NETWORK);
    assertThat(lab.gatehouse("mtu", "explain", "acme/train")).contains("1450 in force");

    assertThat(ping("jumbo-2", "10.7.0.3", 8_950)).contains("2 received");
    assertThat(ping("jumbo-2", "10.7.0.3", 8_951))
        .contains("Frag needed and DF set (mtu = 8950)")
        .contains("0 received");
    assertThat(ping("acme-1", "10.0.0.2", 1_450)).contains("2 received");
    assertThat(ping("acme-2", "10.0.0.3", 1_450)).contains("2 received");
    awaitOutput(
        "(?s).*dpu1 +\\. +1500 +1500\\s+dpu2 +1500 +\\. +9000\\s+dpu3 +1500 +9000 +\\..*",
        "mtu",
        "map");
  }

  @Test
  void f06WhatIsJumboOnOneSideOnlyIsSaid() {
    lab.run("vsctl", "3", "set", "interface", "br-phy", "mtu_request=1500");
    try {
      awaitOutput("dpu3 +9000 +1500 +- +8950 ", "mtu", "show");
      awaitOutput("dpu3: br-phy has 1500, declared is 9000", "mtu", "show");
      awaitOutput("paths +lowered: dpu[23] -> dpu[23] carries 1450 .*", "mtu", "explain", NETWORK);
    } finally {
      lab.run("vsctl", "3", "set", "interface", "br-phy", "mtu_request=9000");
    }
    awaitOutput("dpu3 +9000 +9000 +- +8950", "mtu", "show");
  }

  private void awaitOutput(String pattern, String... command) {
    Eventually.holds(
        pattern,
        () ->
            output(command).lines().anyMatch(line -> line.matches(".*" + pattern + ".*"))
                || output(command).matches(pattern),
        () -> output(command));
  }

  private String output(String... command) {
    return lab.tryRun(CommandLines.join(List.of("gatehouse"), command)).output();
  }

  private String ping(String from, String to, int bytes) {
    String payload = Integer.toString(bytes - 28);
    return lab.tryRun(
            "exec", from, "ping", "-n", "-c", "2", "-W", "5", "-M", "do", "-s", payload, to)
        .output();
  }
}
