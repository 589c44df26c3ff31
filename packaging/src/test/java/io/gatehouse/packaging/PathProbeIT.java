package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the underlay carries is measured, each direction by itself, without the help of ICMP. */
@ExtendWith(SharedFleet.class)
final class PathProbeIT {
  private static final String WHOLE =
      "(?s).*dpu1 +\\. +1500 +1500\\s+dpu2 +1500 +\\. +1500\\s+dpu3 +1500 +1500 +\\..*";

  private final Fleet fleet;
  private final Lab lab;

  PathProbeIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @AfterEach
  void whole() {
    lab.run("hop", "1", "1500");
    lab.run("hop", "2", "1500");
    awaitMap(WHOLE);
  }

  /**
   * Networks have gone down meanwhile, and wait longer each time: a control plane that starts anew
   * does not know of that.
   */
  @AfterAll
  static void unlimited(Fleet fleet) {
    fleet.awaitUnlimited();
  }

  @Test
  void aSmallerHopIsFoundExactlyInBothDirectionsAndClearsByItself() {
    fleet.awaitHealthy();
    awaitMap(WHOLE);
    assertThat(lab.tryRun("gatehouse", "mtu", "map").status()).isZero();
    lab.run("hop", "1", "1400");
    awaitMap("(?s).*dpu1 +\\. +1400! +1400!\\s+dpu2 +1400! +\\. +1500\\s+dpu3 +1400! +1500 +\\..*");
    CommandResult map = lab.tryRun("gatehouse", "mtu", "map");
    assertThat(map.status()).isEqualTo(10);
    assertThat(map.output())
        .contains("dpu1 -> dpu2: 1400 arrives, 1401 vanishes; its networks need 1500");
    assertThat(Metrics.ofAgent(lab, 1).sum("gatehouse_agent_paths", "state=\"black_hole\""))
        .isEqualTo(2);
    assertThat(Metrics.ofAgent(lab, 1).sum("gatehouse_agent_path_proven_bytes", "peer=\"dpu2\""))
        .isEqualTo(1_400);
  }

  @Test
  void oneDirectionIsTold() {
    fleet.awaitHealthy();
    awaitMap(WHOLE);
    // A switch that drops by itself and says nothing; the MTU of a veth would cut both directions.
    lab.exec("fabric", "nft", "add", "table", "inet", "narrow");
    lab.exec(
        "fabric",
        "nft",
        "add chain inet narrow way { type filter hook forward priority 0; "
            + "oifname fab2 meta length > 1300 drop; }");
    try {
      awaitMap("(?s).*dpu1 +\\. +1300! +1500\\s+dpu2 +1500 +\\. +1500\\s+dpu3 +1500 +1300! +\\..*");
    } finally {
      lab.exec("fabric", "nft", "delete", "table", "inet", "narrow");
    }
  }

  @Test
  void aFabricThatSaysNothingHidesNothing() {
    fleet.awaitHealthy();
    awaitMap(WHOLE);
    for (String place : new String[] {"fabric", "fab1"}) {
      lab.exec(place, "nft", "add", "table", "inet", "silent");
      lab.exec(
          place,
          "nft",
          "add chain inet silent out { type filter hook output priority 0; meta l4proto icmp drop; }");
    }
    try {
      lab.run("hop", "1", "1350");
      awaitMap("(?s).*dpu1 +\\. +1350! +1350!\\s+dpu2 +1350! .*");
    } finally {
      for (String place : new String[] {"fabric", "fab1"}) {
        lab.exec(place, "nft", "delete", "table", "inet", "silent");
      }
    }
  }

  private void awaitMap(String pattern) {
    Eventually.holds(
        "the map is " + pattern,
        () -> lab.tryRun("gatehouse", "mtu", "map").output().matches(pattern));
  }
}
