package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.ACME_NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A hop of the underlay becomes smaller while hosts talk: they are told, and go on. How long that
 * took is printed; {@code -Dgatehouse.rounds=20} does it so many times.
 */
@ExtendWith(SharedFleet.class)
final class NarrowPathIT {
  private static final String FROM = "narrow-1";
  private static final String TO = "narrow-2";
  private static final String TO_V4 = "10.0.0.52";
  private static final int TRANSFER_BYTES = 10_000_000;
  private static final int ROUNDS = Integer.getInteger("gatehouse.rounds", 1);

  /** What TCP without any help does here has no end; this only has to be shorter. */
  private static final long LONGEST_STALL_MILLIS = 30_000;

  private final Fleet fleet;
  private final Lab lab;

  NarrowPathIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @BeforeEach
  void addHosts() {
    add(FROM, 1, 51);
    add(TO, 2, 52);
    awaitLimits(0);
  }

  private void add(String name, int dpu, int number) {
    TenantHost host = Fleet.host(name, dpu, "pf0vf2", number);
    lab.addHost(host);
    fleet.operator().create(Fleet.port(host));
  }

  @AfterEach
  void removeHosts() {
    hop("1500");
    for (String name : List.of(FROM, TO)) {
      fleet.operator().deletePort(ACME_NETWORK + "/ports/" + name);
      lab.removeHost(name);
    }
    awaitLimits(0);
  }

  @AfterAll
  static void unlimited(Fleet fleet) {
    fleet.awaitUnlimited();
  }

  @Test
  void f02ATransferGoesOnWhenAHopBecomesSmaller() throws Exception {
    assertThat(lab.reaches(FROM, TO_V4)).isTrue();
    for (int round = 0; round < ROUNDS; round++) {
      transfer("round " + round);
      assertThat(lab.exec(FROM, "ip", "route", "get", TO_V4)).contains("mtu 1350");
      assertThat(ping(1_322)).contains("1 received");
      again();
    }
  }

  @Test
  void itNeedsNoWordOfTheFabric() throws Exception {
    for (String place : List.of("fabric", "fab1")) {
      lab.exec(place, "nft", "add", "table", "inet", "silent");
      lab.exec(
          place,
          "nft",
          "add chain inet silent out { type filter hook output priority 0; meta l4proto icmp drop; }");
    }
    try {
      assertThat(lab.reaches(FROM, TO_V4)).isTrue();
      transfer("ICMP filtered");
    } finally {
      for (String place : List.of("fabric", "fab1")) {
        lab.exec(place, "nft", "delete", "table", "inet", "silent");
      }
    }
  }

  @Test
  void bothFamiliesAreToldAndThePlanStaysProved() {
    hop("1400");
    awaitLimits(2);
    fleet.awaitHealthy();
    assertThat(narrowFlows()).hasSize(2).allMatch(flow -> flow.contains("check_pkt_larger(1364)"));
    assertThat(lab.reaches(FROM, TO_V4)).isTrue();
    assertThat(ping(1_323)).contains("Frag needed and DF set (mtu = 1350)");
    assertThat(lab.reaches(FROM, "fd00:0:0:1::52")).isTrue();
    assertThat(
            lab.tryRun(
                    "exec",
                    FROM,
                    "ping",
                    "-n",
                    "-c",
                    "2",
                    "-W",
                    "3",
                    "-M",
                    "do",
                    "-s",
                    "1303",
                    "fd00:0:0:1::52")
                .output())
        .contains("Packet too big: mtu=1350");
    hop("1500");
    awaitLimits(0);
    Eventually.holds("the checks are gone", () -> narrowFlows().isEmpty());
  }

  /** Acme's network, towards both partners. */
  private List<String> narrowFlows() {
    String vni = "reg0=0x" + Integer.toHexString(fleet.vni(ACME_NETWORK));
    return fleet.flows(1).stream()
        .filter(flow -> flow.contains("table=60") && flow.contains("tun_dst="))
        .filter(flow -> flow.contains(vni + ","))
        .toList();
  }

  private String ping(int bytes) {
    return lab.tryRun(
            "exec", FROM, "ping", "-n", "-c", "1", "-W", "3", "-M", "do", "-s", "" + bytes, TO_V4)
        .output();
  }

  private void transfer(String what) throws Exception {
    InetAddress to = InetAddress.getByName(TO_V4);
    long usual = measure(what + ", as it was", to, () -> {});
    long changed = measure(what + ", hop changed", to, () -> hop("1400"));
    assertThat(usual).isLessThan(LONGEST_STALL_MILLIS);
    assertThat(changed).isLessThan(LONGEST_STALL_MILLIS);
  }

  /** Milliseconds of the longest silence of a transfer during which something happens. */
  private long measure(String what, InetAddress to, Runnable event) throws Exception {
    try (Transfer transfer = Transfer.between(lab.namespace(FROM), lab.namespace(TO), to)) {
      transfer.await(TRANSFER_BYTES / 10);
      event.run();
      long after = System.nanoTime();
      transfer.sendOnly(TRANSFER_BYTES);
      Transfer.Received received = transfer.finished();
      System.out.printf(
          "%s: 10 MB more took %d ms; longest silence %d ms%n",
          what, millis(received.endNanos() - after), millis(received.longestSilenceNanos()));
      return millis(received.longestSilenceNanos());
    }
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private void again() {
    hop("1500");
    awaitLimits(0);
    lab.exec(FROM, "ip", "route", "flush", "cache");
    lab.exec(TO, "ip", "route", "flush", "cache");
  }

  private void hop(String bytes) {
    lab.run("hop", "1", bytes);
  }

  private void awaitLimits(int count) {
    Eventually.holds(
        count + " limits",
        () -> Metrics.ofAgent(lab, 1).sum("gatehouse_agent_path_limits") == count);
  }
}
