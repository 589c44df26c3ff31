package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.Lab.Daemon;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An agent that ends and comes back: its host's packets must not notice. */
@ExtendWith(SharedFleet.class)
final class AgentRestartIT {
  private final Fleet fleet;
  private final Lab lab;

  AgentRestartIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @AfterEach
  void allRuns() {
    lab.run("up");
  }

  @Test
  void f11KilledAgentCostsNoPacket() throws Exception {
    UdpProbe v4 = probe("acme-1", "acme-2", "10.0.0.2");
    UdpProbe v6 = probe("acme-2", "acme-1", "fd00:0:0:1::1");
    lab.kill(Daemon.AGENT, 1);
    v4.awaitArrival(Eventually.LIMIT);
    lab.start(Daemon.AGENT, 1);
    fleet.awaitHealthy();
    v4.awaitArrival(Eventually.LIMIT);
    assertThat(v4.stop().lost()).isZero();
    assertThat(v6.stop().lost()).isZero();
  }

  @Test
  void restartWritesNothing() {
    lab.restart(Daemon.AGENT, 2);
    fleet.awaitHealthy();
    assertThat(Metrics.ofAgent(lab, 2).sum("gatehouse_agent_writes_total")).isZero();
  }

  @Test
  void f21PolicyComesFromTheDiskWhenNobodyElseHasIt() throws Exception {
    lab.stopControlPlane();
    lab.kill(Daemon.AGENT, 1);
    lab.kill(Daemon.VSWITCHD, 1);
    lab.start(Daemon.VSWITCHD, 1);
    assertThat(lab.isCutOff("acme-1", "10.0.0.2")).as("a switch without flows is shut").isTrue();
    lab.start(Daemon.AGENT, 1);
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
    assertThat(lab.isCutOff("acme-1", "10.0.0.4")).isTrue();
    assertThat(lab.exec("dpu1", "gatehouse-agent", "status")).contains("not connected");
  }

  @Test
  void corruptPolicyFileIsSaidAndNothingIsTornDown() throws Exception {
    UdpProbe probe = probe("acme-1", "acme-2", "10.0.0.2");
    lab.stopControlPlane();
    lab.kill(Daemon.AGENT, 1);
    Path file = lab.directory().resolve("dpu1/state/policy.bin");
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    Files.write(file, content);
    lab.start(Daemon.AGENT, 1);
    assertThat(Files.readString(lab.directory().resolve("dpu1/agent.log")))
        .contains("the stored policy is unusable", "does not match its checksum");
    assertThat(file.resolveSibling("policy.bin.corrupt")).exists();
    probe.awaitArrival(Eventually.LIMIT);
    lab.startControlPlane();
    Eventually.holds("the policy is on disk again", () -> Files.exists(file));
    fleet.awaitHealthy();
    probe.awaitArrival(Eventually.LIMIT);
    assertThat(probe.stop().lost()).isZero();
  }

  /** A probe whose first packet has arrived: what the tunnel's first packet waits for is over. */
  private UdpProbe probe(String from, String to, String address) throws Exception {
    assertThat(lab.reaches(from, address)).isTrue();
    UdpProbe probe = lab.probe(from, to, InetAddress.getByName(address));
    probe.awaitArrival(Eventually.LIMIT);
    return probe;
  }
}
