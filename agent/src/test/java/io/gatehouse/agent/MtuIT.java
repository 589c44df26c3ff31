package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of packets that are too large, on a real Open vSwitch, with real hosts that believe
 * in another MTU than their network has.
 */
final class MtuIT {
  private static final int MTU = 1_450;
  private static final int TRANSFER_BYTES = 10_000_000;
  private static final int PORT = 5_001;
  private static final int FLOOD = 5_000;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final NetworkPolicy NETWORK =
      Policies.network("a/n", 7, "10.0.0.0/24", "fd00::/64");

  private static SwitchUnderTest dpu;
  private static HostServices services;
  private static TestNamespace one;
  private static TestNamespace two;

  private static SimpleMeterRegistry registry;

  private static LocalPortPolicy port(int number) {
    return Policies.localPort(
        "a/n/h" + number,
        SwitchUnderTest.function(number),
        SwitchUnderTest.mac(number),
        "10.0.0." + number,
        "fd00::" + number);
  }

  private static TestNamespace host(int number) throws Exception {
    TestNamespace host = dpu.addHost(number, "10.0.0." + number);
    // It does not believe what the DPU advertises either.
    host.sh("sysctl -qw net.ipv6.conf.eth0.accept_ra=0");
    host.sh("ip addr add fd00::" + number + "/64 dev eth0 nodad");
    host.sh("ip link set dev eth0 mtu 9000");
    return host;
  }

  @BeforeAll
  static void start() throws Exception {
    registry = new SimpleMeterRegistry();
    dpu = new SwitchUnderTest();
    one = host(1);
    two = host(2);
    services = dpu.hostServices(registry);
    services.start();
  }

  @AfterAll
  static void stop() throws Exception {
    services.close();
    dpu.close();
  }

  /** No host remembers what it was told in the test before. */
  @BeforeEach
  void forget() throws Exception {
    for (TestNamespace host : List.of(one, two)) {
      host.sh("ip -4 route flush cache");
      host.sh("ip -6 route flush cache");
    }
    settle();
  }

  private static void settle(String... groups) throws Exception {
    List<PolicyResource> resources = new ArrayList<>(List.of(NETWORK));
    for (int number = 1; number <= 2; number++) {
      resources.add(groups.length == 0 ? port(number) : Groups.with(port(number), groups));
    }
    if (groups.length > 0) {
      resources.add(
          Groups.group(
              "a/g",
              Groups.in(Groups.PING, Groups.ANYWHERE),
              Groups.out(Groups.PING, Groups.ANYWHERE),
              Groups.in(Groups.icmp6(128), Groups.ANYWHERE),
              Groups.out(Groups.icmp6(128), Groups.ANYWHERE),
              Groups.in(Groups.tcp(PORT, PORT), Groups.ANYWHERE),
              Groups.out(Groups.tcp(PORT, PORT), Groups.ANYWHERE)));
    }
    dpu.settle(resources.toArray(new PolicyResource[0]));
  }

  private static double answers(String family) {
    return registry.get("gatehouse.agent.oversize.answers").tag("family", family).counter().count();
  }

  private static double drops(String reason) {
    return registry.get("gatehouse.agent.oversize.drops").tag("reason", reason).counter().count();
  }

  private static double looked() {
    return registry.find("gatehouse.agent.oversize.answers").counters().stream()
            .mapToDouble(Counter::count)
            .sum()
        + registry.find("gatehouse.agent.oversize.drops").counters().stream()
            .mapToDouble(Counter::count)
            .sum();
  }

  /** Pings, and says all that ping says; that it fails is part of it. */
  private static String ping(TestNamespace from, String to, int bytes) throws Exception {
    Process ping = from.start("ping -n -c 2 -W 2 -i 0.3 -M do -s " + bytes + " " + to);
    String text = new String(ping.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(ping.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  private static void pingsAreTold() throws Exception {
    assertThat(ping(one, "10.0.0.2", MTU - 28)).contains("2 received");
    assertThat(ping(one, "10.0.0.2", MTU - 27))
        .contains("From 10.0.0.2 icmp_seq=1 Frag needed and DF set (mtu = 1450)")
        .contains("message too long, mtu=1450")
        .contains("0 received");
    assertThat(one.sh("ip route get 10.0.0.2")).contains("mtu 1450");

    assertThat(ping(one, "fd00::2", MTU - 48)).contains("2 received");
    assertThat(ping(one, "fd00::2", MTU - 47))
        .contains("From fd00::2 icmp_seq=1 Packet too big: mtu=1450")
        .contains("0 received");
    assertThat(one.sh("ip -6 route get fd00::2")).contains("mtu 1450");
  }

  @Test
  void f03APingThatIsTooLargeIsToldTheMtu() throws Exception {
    double v4 = answers("ipv4");
    double v6 = answers("ipv6");
    pingsAreTold();
    assertThat(answers("ipv4")).isGreaterThan(v4);
    assertThat(answers("ipv6")).isGreaterThan(v6);
  }

  @Test
  void securityGroupsDoNotSilenceTheAnswer() throws Exception {
    settle("a/g");
    pingsAreTold();
  }

  /**
   * A host that filters by the paths back takes the answer; so does one that tracks connections.
   */
  @Test
  void aHostThatChecksReturnPathsTakesTheAnswer() throws Exception {
    one.sh("sysctl -qw net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.eth0.rp_filter=1");
    assertThat(ping(one, "10.0.0.2", 4_000)).contains("mtu = 1450");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.2", "fd00::2"})
  void f03ATransferWithTheWrongMtuCompletes(String address) throws Exception {
    double before = looked();
    transfer(address);
    assertThat(looked()).as("the sender was told").isGreaterThan(before);
    assertThat(one.sh("ip route get " + address)).contains("mtu 1450");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.2", "fd00::2"})
  void aTransferCompletesWithSecurityGroups(String address) throws Exception {
    settle("a/g");
    transfer(address);
    assertThat(one.sh("ip route get " + address)).contains("mtu 1450");
  }

  private static void transfer(String address) throws Exception {
    InetSocketAddress server = new InetSocketAddress(InetAddress.getByName(address), PORT);
    try (ServerSocket listening =
        two.run(() -> new ServerSocket(PORT, 1, InetAddress.getByName(address)))) {
      CompletableFuture<Long> received = CompletableFuture.supplyAsync(() -> receive(listening));
      try (Socket socket = one.run(() -> connect(server));
          OutputStream out = socket.getOutputStream()) {
        out.write(new byte[TRANSFER_BYTES]);
      }
      assertThat(received.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(TRANSFER_BYTES);
    }
  }

  private static Socket connect(InetSocketAddress server) throws IOException {
    Socket socket = new Socket();
    socket.connect(server, PATIENCE_MILLIS);
    return socket;
  }

  private static long receive(ServerSocket listening) {
    try (Socket socket = listening.accept()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      return socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatTheSwitchSaysIsRightByTcpdump() throws Exception {
    Process dump = one.start("tcpdump -i eth0 -n -vvv -c 2 -l icmp[0]==3 or icmp6[0]==2");
    // Its first line says that it listens.
    byte[] first = new byte[1];
    assertThat(dump.getInputStream().read(first)).isEqualTo(1);
    CompletableFuture<String> text =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    for (int i = 0; i < 30 && !text.isDone(); i++) {
      ping(one, "10.0.0.2", 2_000);
      ping(one, "fd00::2", 2_000);
      forget();
    }

    assertThat(text.get(60, TimeUnit.SECONDS))
        .contains("10.0.0.2 > 10.0.0.1: ICMP 10.0.0.2 unreachable - need to frag (mtu 1450)")
        .contains("length 2028")
        .contains("fd00::2 > fd00::1: [icmp6 sum ok] ICMP6, packet too big, mtu 1450")
        .doesNotContain("bad")
        .doesNotContain("wrong");
  }

  @Test
  void whatIsForManyAndWhatIsAnErrorIsCountedAndNotAnswered() throws Exception {
    double v6 = answers("ipv6");
    double groups = drops("group");
    two.sh("sysctl -qw net.ipv6.icmp.echo_ignore_multicast=1");
    assertThat(ping(one, "ff02::1%eth0", 2_000)).doesNotContain("too big");
    assertThat(drops("group"))
        .as("each is looked at once, however many hear it")
        .isEqualTo(groups + 2);
    assertThat(answers("ipv6")).isEqualTo(v6);
  }

  private static Integer flood() throws IOException {
    byte[] load = new byte[4_000];
    try (DatagramSocket socket = new DatagramSocket()) {
      for (int i = 0; i < FLOOD; i++) {
        socket.send(new DatagramPacket(load, load.length, InetAddress.getByName("10.0.0.2"), PORT));
      }
    }
    return FLOOD;
  }

  @Test
  void aFloodIsMeteredInTheSwitchAndInTheAgent() throws Exception {
    assertThat(ping(one, "10.0.0.2", 100)).contains("2 received");
    double before = looked();
    // A host that does not believe what it is told.
    one.sh("ip route add 10.0.0.2/32 dev eth0 mtu lock 9000");
    one.run(MtuIT::flood);
    one.sh("ip route del 10.0.0.2/32 dev eth0");
    // What came before the next answer has been looked at.
    assertThat(ping(two, "10.0.0.1", 2_000)).as("another host").contains("mtu = 1450");
    double looked = looked() - before;
    assertThat(looked).as("looked at by the agent").isBetween(50.0, FLOOD / 2.0);
    int port = Integer.parseInt(dpu.vswitchd().vsctl("get", "interface", "rep1", "ofport").strip());
    String meter = "meter=" + MeterKind.OVERSIZE.id(port);
    assertThat(dpu.vswitchd().ofctl("meter-stats", "gh-int", meter))
        .as("the rest was dropped by the port's meter")
        .containsPattern("bands:\\s*0: packet_count:[1-9][0-9]{2,}");
  }
}
