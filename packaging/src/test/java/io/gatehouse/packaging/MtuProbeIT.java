package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** A path is measured on demand: both directions, the hop, and what really goes through tunnels. */
@ExtendWith(SharedFleet.class)
@TestInstance(Lifecycle.PER_CLASS)
final class MtuProbeIT {
  private static final String TABLE = "mtu_probe";

  /** With an MTU of its own, which no path lowers. */
  private static final String NETWORK = "acme/probed";

  private static final List<Integer> ENDS = List.of(1, 2);

  private final Fleet fleet;
  private final Lab lab;

  MtuProbeIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @BeforeAll
  void addNetwork() {
    lab.gatehouse("network", "create", NETWORK, "--ipv4", "10.8.0.0/24", "--mtu", "1450");
    for (int dpu : ENDS) {
      TenantHost host =
          new TenantHost(
              "probed-" + dpu,
              dpu,
              "pf0vf2",
              Fleet.mac(80 + dpu),
              List.of("10.8.0." + dpu + "/24"));
      lab.addHost(host);
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
          "10.8.0." + dpu,
          "--wait");
    }
  }

  @AfterAll
  void removeNetwork() {
    for (int dpu : ENDS) {
      lab.gatehouse("port", "delete", NETWORK + "/probed-" + dpu);
      lab.removeHost("probed-" + dpu);
    }
    lab.gatehouse("network", "delete", NETWORK);
    fleet.awaitUnlimited();
  }

  @AfterEach
  void whole() {
    lab.run("hop", "1", "1500");
    lab.tryRun("exec", "fabric", "nft", "delete", "table", "inet", TABLE);
    Eventually.holds(
        "all paths are proven", () -> lab.tryRun("gatehouse", "mtu", "map").status() == 0);
  }

  private CommandResult probe() {
    return lab.tryRun("gatehouse", "mtu", "probe", "dpu1", "dpu2", "--network", NETWORK);
  }

  private void drop(String what) {
    lab.exec("fabric", "nft", "add", "table", "inet", TABLE);
    lab.exec(
        "fabric",
        "nft",
        "add chain inet %s way { type filter hook forward priority 0; %s drop; }"
            .formatted(TABLE, what));
  }

  @Test
  void aHealthyPairIsProvenWithAllItsTunnels() {
    fleet.awaitHealthy();
    CommandResult probe = probe();
    assertThat(probe.output())
        .containsPattern("dpu1 +dpu2 +1500 +1500 +proven +-\\n")
        .containsPattern("dpu2 +dpu1 +1500 +1500 +proven +-\\n")
        .containsPattern("dpu1 +dpu2 +\\S+ +UDP over IPv4 +1450 +8 +8 +0 +ok\\n")
        .containsPattern("dpu2 +dpu1 +\\S+ +TCP over IPv4 +1450 +8 +8 +0 +ok\\n")
        .doesNotContain("failed");
    assertThat(probe.status()).isZero();
  }

  @Test
  void aHopThatSaysItsMtuIsNamedOnDemandAndInTheMap() {
    fleet.awaitHealthy();
    lab.run("hop", "1", "1400");
    CommandResult probe = probe();
    assertThat(probe.output())
        .containsPattern("dpu1 +dpu2 +1400 +1500 +black hole +at 172.16.1.254, hop 1, says 1400\\n")
        .containsPattern("dpu2 +dpu1 +1400 +1500 +black hole +at 172.30.2.1, hop 2, says 1400\\n")
        .containsPattern("TCP over IPv4 +1450 +8 +0 +0 +failed\\n");
    assertThat(probe.status()).isEqualTo(10);
    Eventually.holds(
        "the map names the hop",
        () ->
            lab.tryRun("gatehouse", "mtu", "map")
                .output()
                .contains("its networks need 1500; at 172.16.1.254, hop 1, says 1400\n"));
  }

  @Test
  void aSilentHopIsNamedByTheLastThatCarries() {
    fleet.awaitHealthy();
    drop("oifname fab2 meta length > 1300");
    CommandResult probe = probe();
    assertThat(probe.output())
        .containsPattern("dpu1 +dpu2 +1300 +1500 +black hole +behind 172.30.1.1, hop 2\\n")
        .containsPattern("dpu2 +dpu1 +1500 +1500 +proven +-\\n");
    assertThat(probe.status()).isEqualTo(10);
  }

  /** Field case F09: a card that spoils the outer checksum of VXLAN alone. */
  @Test
  void aFabricThatLosesLargeVxlanAloneIsFoundThoughEveryProbeArrives() {
    fleet.awaitHealthy();
    drop("oifname fab2 udp dport 4789 meta length > 1000");
    CommandResult probe = probe();
    assertThat(probe.output())
        .containsPattern("dpu1 +dpu2 +1500 +1500 +proven +-\\n")
        .containsPattern("dpu1 +dpu2 +\\S+ +UDP over IPv4 +1450 +8 +0 +0 +failed\\n")
        .containsPattern("dpu1 +dpu2 +\\S+ +TCP over IPv4 +1450 +8 +0 +0 +failed\\n")
        .containsPattern("dpu2 +dpu1 +\\S+ +TCP over IPv4 +1450 +8 +8 +0 +ok\\n")
        .contains("through the tunnel 8 are lost, 0 damaged, while plain packets of the same size");
    assertThat(probe.status()).isEqualTo(10);
  }

  @Test
  void aByteThatChangesOnTheWayIsFound() {
    fleet.awaitHealthy();
    lab.exec("fabric", "nft", "add", "table", "inet", TABLE);
    lab.exec(
        "fabric",
        "nft",
        "add chain inet %s way { type filter hook forward priority 0; %s; }"
            .formatted(
                TABLE, "oifname fab2 udp dport 4789 meta length > 1000 @th,8000,8 set 0xff"));
    CommandResult probe = probe();
    assertThat(probe.output())
        .containsPattern("dpu1 +dpu2 +1500 +1500 +proven +-\\n")
        .containsPattern("dpu1 +dpu2 +\\S+ +TCP over IPv4 +1450 +8 +0 +8 +failed\\n");
    assertThat(probe.status()).isEqualTo(10);
  }
}
