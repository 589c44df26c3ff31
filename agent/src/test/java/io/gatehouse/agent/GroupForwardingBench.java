package io.gatehouse.agent;

import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.RateLimits.Rate;
import io.gatehouse.model.security.SecurityRule;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * TCP between two hosts of one real userspace switch, with and without security groups on both, by
 * turns: throughput, and connections opened one after the other. Not a test: it asserts nothing.
 * Arguments: rounds, seconds of each measurement.
 */
public final class GroupForwardingBench {
  private static final String SERVER = "10.0.0.1";
  private static final int RULES = 100;
  private static final int MTU = 1_450;
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");

  private GroupForwardingBench() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    double[][] mbits = new double[2][rounds];
    double[][] opened = new double[2][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int grouped = 0; grouped < 2; grouped++) {
        // A switch each: what it remembers of the other kind of traffic slows it down for a while.
        try (SwitchUnderTest dpu = new SwitchUnderTest()) {
          TestNamespace server = host(dpu, 1);
          TestNamespace client = host(dpu, 2);
          dpu.settle(grouped == 0 ? plain() : groups());
          try (Talk talk = new Talk(server)) {
            mbits[grouped][round] = throughput(talk, client, seconds);
            opened[grouped][round] = connections(client, seconds);
          }
        }
      }
    }
    print("Mbit/s", mbits);
    print("connections/s", opened);
    // The echo server's threads wait for nobody.
    System.exit(0);
  }

  private static TestNamespace host(SwitchUnderTest dpu, int number) throws Exception {
    TestNamespace host = dpu.addHost(number, "10.0.0." + number);
    // Nobody answers too large packets here, and so no host may send any.
    host.sh("ip link set dev eth0 mtu " + MTU);
    return host;
  }

  private static LocalPortPolicy port(int number) {
    return Policies.localPort(
        "a/n/p" + number,
        SwitchUnderTest.function(number),
        SwitchUnderTest.mac(number),
        "10.0.0." + number);
  }

  /** As many connections as there can be: what has ended counts for a while. */
  private static LocalPortPolicy unlimited(int number) {
    return Policies.limited(port(number), new RateLimits(Rate.NONE, Rate.NONE, 0, 1_000_000));
  }

  private static PolicyResource[] plain() {
    return new PolicyResource[] {NETWORK, port(1), port(2)};
  }

  private static PolicyResource[] groups() {
    List<SecurityRule> rules = new ArrayList<>();
    for (int rule = 0; rule < RULES; rule++) {
      rules.add(Groups.in(Groups.udp(1_000 + rule, 1_000 + rule), Groups.members("a/g")));
    }
    rules.add(Groups.in(Groups.tcp(1, 65_535), Groups.members("a/g")));
    rules.add(Groups.out(Groups.ANY, Groups.ANYWHERE));
    return new PolicyResource[] {
      NETWORK,
      Groups.with(unlimited(1), "a/g"),
      Groups.with(unlimited(2), "a/g"),
      Groups.group("a/g", rules.toArray(new SecurityRule[0]))
    };
  }

  /** Both ways at once, through a server that sends back what it gets. */
  private static double throughput(Talk talk, TestNamespace client, int seconds) throws Exception {
    try (Talk.Connection connection = talk.open(client, Talk.TCP)) {
      long start = System.nanoTime();
      long bytes = connection.flood(Duration.ofSeconds(seconds));
      return bytes * 8e3 / (System.nanoTime() - start);
    }
  }

  private static double connections(TestNamespace client, int seconds) throws Exception {
    return client.run(
        () -> {
          long start = System.nanoTime();
          long end = start + TimeUnit.SECONDS.toNanos(seconds);
          int count = 0;
          while (System.nanoTime() < end) {
            try (Socket socket = new Socket()) {
              // Ended by a reset, or the ports of the client are used up before the time is.
              socket.setSoLinger(true, 0);
              socket.connect(new InetSocketAddress(SERVER, Talk.TCP), 5_000);
              count++;
            }
          }
          return count * 1e9 / (System.nanoTime() - start);
        });
  }

  private static void print(String what, double[][] measured) {
    Arrays.sort(measured[0]);
    Arrays.sort(measured[1]);
    double plain = measured[0][measured[0].length / 2];
    double grouped = measured[1][measured[1].length / 2];
    System.out.printf(
        "%-14s plain p50 %.0f, with groups p50 %.0f, ratio %.2f%n",
        what, plain, grouped, grouped / plain);
  }
}
