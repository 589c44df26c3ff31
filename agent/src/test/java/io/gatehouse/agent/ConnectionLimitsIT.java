package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.Talk.Answer;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Site;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.RateLimits.Rate;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The limits of connections, at a time and a second, on a real Open vSwitch, with packets of real
 * hosts: a server that has them, one client, and another server that has not.
 */
final class ConnectionLimitsIT {
  private static final int LIMIT = 3;
  private static final int PER_SECOND = 50;
  private static final int WINDOWS = 6;
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final String DATAPATH = "netdev@ovs-netdev";
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final PolicyResource GROUP =
      Groups.group(
          "a/all", Groups.in(Groups.ANY, Groups.ANYWHERE), Groups.out(Groups.ANY, Groups.ANYWHERE));
  private static final LocalPortPolicy SERVER = limited(Groups.with(port("web", 1), "a/all"));
  private static final LocalPortPolicy CLIENT = port("one", 2);
  private static final LocalPortPolicy NEIGHBOUR = Groups.with(port("two", 3), "a/all");

  private static SwitchUnderTest dpu;
  private static TestNamespace client;
  private static TestNamespace server;
  private static Talk talk;

  private static LocalPortPolicy port(String name, int number) {
    return Policies.localPort(
        "a/n/" + name,
        SwitchUnderTest.function(number),
        SwitchUnderTest.mac(number),
        "10.0.0." + number);
  }

  private static LocalPortPolicy limited(LocalPortPolicy port) {
    return Policies.limited(port, new RateLimits(Rate.NONE, Rate.NONE, 0, LIMIT));
  }

  @BeforeAll
  static void start() throws Exception {
    dpu = new SwitchUnderTest();
    server = dpu.addHost(1, "10.0.0.1");
    client = dpu.addHost(2, "10.0.0.2");
    dpu.addHost(3, "10.0.0.3");
    talk = new Talk(server);
  }

  @AfterAll
  static void stop() throws Exception {
    talk.close();
    dpu.close();
  }

  /** Nothing of the test before is left in the connection tracker. */
  @BeforeEach
  void empty() throws Exception {
    dpu.settle(NETWORK);
    dpu.settle(NETWORK, GROUP, SERVER, CLIENT, NEIGHBOUR);
  }

  @Test
  void whatIsMoreDoesNotPassWhatIsThereGoesOnAndWhatEndsMakesRoom() throws Exception {
    List<Talk.Connection> open = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      open.add(talk.open(client, Talk.TCP));
    }
    assertThat(talk.tcp(client, Talk.TCP)).isEqualTo(Answer.SILENCE);
    assertThat(talk.udp(client, Talk.UDP)).isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(client, "10.0.0.1")).isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(server, "10.0.0.2")).as("its own count too").isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(client, "10.0.0.3")).as("of another port").isEqualTo(Answer.YES);
    assertThat(limit("rep1")).isEqualTo("limit=" + LIMIT + ",count=" + LIMIT);
    assertThat(refused()).as("counted").isPositive();
    for (Talk.Connection connection : open) {
      assertThat(connection.echo()).isEqualTo(Answer.YES);
    }
    open.remove(0).abort();
    open.add(eventually());
    for (Talk.Connection connection : open) {
      assertThat(connection.echo()).isEqualTo(Answer.YES);
      connection.close();
    }
  }

  /** The tracker forgets what has ended within half a minute or so. */
  private static Talk.Connection eventually() throws Exception {
    for (int tries = 1; ; tries++) {
      try {
        return talk.open(client, Talk.TCP);
      } catch (SocketTimeoutException e) {
        if (tries == 5) {
          throw new AssertionError("what has ended makes no room", e);
        }
      }
    }
  }

  @Test
  void aDatagramThatNobodyAnswersIsHeldToItTooAndDoesNotArrive() throws Exception {
    for (int port = 1; port <= LIMIT; port++) {
      talk.udp(client, Talk.NOBODY + port);
    }
    long before = Reading.of(server).datagrams();
    talk.udp(client, Talk.NOBODY);
    assertThat(Reading.of(server).datagrams()).isEqualTo(before);
  }

  /**
   * Each datagram is of another port, and so opens a connection. A machine that does ten other
   * things may send too few for a while: one window of several has to reach the limit, none may be
   * above it.
   */
  @Test
  void connectionsASecondAreThoseOfTheLimitWithinATenth() throws Exception {
    LocalPortPolicy slow =
        Policies.limited(SERVER, new RateLimits(Rate.NONE, Rate.NONE, PER_SECOND, 0));
    dpu.settle(NETWORK, GROUP, slow, CLIENT, NEIGHBOUR);
    AtomicBoolean stopped = new AtomicBoolean();
    FutureTask<Long> opener = new FutureTask<>(() -> client.run(() -> open(stopped)));
    new Thread(opener, "opener").start();
    List<Double> windows = new ArrayList<>();
    try {
      // What may come at once has come.
      LockSupport.parkNanos(WINDOW.toNanos());
      while (windows.stream().noneMatch(ConnectionLimitsIT::isReached)
          && windows.size() < WINDOWS) {
        Reading before = Reading.of(server);
        LockSupport.parkNanos(WINDOW.toNanos());
        windows.add(Reading.of(server).since(before));
      }
    } finally {
      stopped.set(true);
    }
    assertThat(opener.get()).as("opened").isPositive();
    double saved = PER_SECOND / (double) WINDOW.toSeconds();
    assertThat(windows).allMatch(rate -> rate <= 1.1 * PER_SECOND + saved);
    assertThat(windows).anyMatch(ConnectionLimitsIT::isReached);
  }

  private static boolean isReached(double rate) {
    return rate >= 0.9 * PER_SECOND && rate <= 1.1 * PER_SECOND;
  }

  /** Opens four times as many as are let through; after a pause it catches up. */
  private static long open(AtomicBoolean stopped) throws IOException {
    InetSocketAddress to = new InetSocketAddress("10.0.0.1", Talk.UDP);
    long next = System.nanoTime();
    long opened = 0;
    while (!stopped.get()) {
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.send(new DatagramPacket(new byte[] {1}, 1, to));
      }
      opened++;
      next += TimeUnit.SECONDS.toNanos(1) / (4 * PER_SECOND);
      LockSupport.parkNanos(next - System.nanoTime());
    }
    return opened;
  }

  /** Datagrams that a host has taken, whether somebody wanted them or not. */
  private record Reading(double seconds, long datagrams) {
    static Reading of(TestNamespace host) throws Exception {
      List<String> lines = host.sh("cat /proc/uptime /proc/net/snmp").lines().toList();
      long datagrams =
          lines.stream()
              .filter(line -> line.startsWith("Udp: ") && !line.contains("InDatagrams"))
              .map(line -> line.split(" ", -1))
              .mapToLong(words -> Long.parseLong(words[1]) + Long.parseLong(words[2]))
              .sum();
      return new Reading(Double.parseDouble(lines.get(0).split(" ", -1)[0]), datagrams);
    }

    double since(Reading before) {
      return (datagrams - before.datagrams) / (seconds - before.seconds);
    }
  }

  @Test
  void aLimitThatSomebodyTakesOrTheSwitchForgetsComesBack() throws Exception {
    assertThat(limit("rep1")).startsWith("limit=" + LIMIT + ",");
    assertThat(limit("rep3")).startsWith("limit=" + RateLimits.DEFAULT_CONNECTIONS + ",");
    dpu.vswitchd().appctl("dpctl/ct-del-limits", DATAPATH, "zone=" + zoneOf("rep1"));
    dpu.forget();
    dpu.settle(NETWORK, GROUP, SERVER, CLIENT, NEIGHBOUR);
    assertThat(limit("rep1")).startsWith("limit=" + LIMIT + ",");

    dpu.vswitchd().killVswitchd();
    dpu.vswitchd().startVswitchd();
    dpu.settle(NETWORK, GROUP, SERVER, CLIENT, NEIGHBOUR);
    assertThat(limit("rep1")).startsWith("limit=" + LIMIT + ",");
    assertThat(talk.tcp(client, Talk.TCP)).isEqualTo(Answer.YES);
  }

  @Test
  void aPortThatGoesTakesItsLimitAlong() throws Exception {
    String zone = zoneOf("rep1");
    dpu.vswitchd().appctl("dpctl/ct-set-limits", DATAPATH, "zone=999,limit=5");
    dpu.settle(NETWORK, GROUP, CLIENT, NEIGHBOUR);
    assertThat(dpu.vswitchd().appctl("dpctl/ct-get-limits", DATAPATH))
        .doesNotContain("zone=" + zone + ",")
        .contains("zone=" + zoneOf("rep3") + ",")
        .as("of somebody else")
        .contains("zone=999,limit=5,");
  }

  private static long refused() {
    dpu.vswitchd().appctl("revalidator/purge");
    return dpu.vswitchd()
        .ofctl("dump-flows", Site.BRIDGE)
        .lines()
        .filter(line -> line.contains("priority=90,reg4=0x2"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*n_packets=(\\d+),.*", "$1")))
        .sum();
  }

  private static String limit(String device) {
    String zone = "zone=" + zoneOf(device);
    return dpu.vswitchd()
        .appctl("dpctl/ct-get-limits", DATAPATH, zone)
        .lines()
        .filter(line -> line.startsWith(zone + ","))
        .findFirst()
        .orElseThrow()
        .substring(zone.length() + 1);
  }

  private static String zoneOf(String device) {
    return dpu.vswitchd()
        .vsctl("get", "port", device, "external_ids:" + Site.ZONE_KEY)
        .strip()
        .replace("\"", "");
  }
}
