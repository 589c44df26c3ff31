package io.gatehouse.agent.device.nft;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.netlink.NetlinkMonitor;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTableIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private GuardTable guard;
  private TestNamespace namespace;
  private TestNamespace host;

  @BeforeEach
  void open() throws Exception {
    namespace = new TestNamespace();
    host = new TestNamespace();
    guard = namespace.run(() -> GuardTable.open(TIMEOUT));
    addVeth();
    namespace.sh("ip link add v1 type bridge");
  }

  @AfterEach
  void close() throws Exception {
    guard.close();
    host.close();
    namespace.close();
  }

  @Test
  void guardsAndFrees() throws Exception {
    assertThat(read()).isEmpty();
    guard(Set.of("v0", "v1"), Set.of());
    guard(Set.of("v0", "v1"), Set.of("absent"));
    assertThat(read()).containsExactly("v0", "v1");
    guard(Set.of(), Set.of("v1"));
    assertThat(read()).containsExactly("v0");
    guard(Set.of("v1"), Set.of("v0"));
    assertThat(read()).containsExactly("v1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0a-b.c", "accept", "a{b}", "a;b", "a\"b", "$x", "*", "-j"})
  void guardsADeviceOfAnyName(String name) throws Exception {
    namespace.sh("ip link add name " + name + " type bridge");
    guard(Set.of(name), Set.of());
    assertThat(read()).containsExactly(name);
    guard(Set.of(), Set.of(name));
    assertThat(read()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nft add rule netdev gatehouse v0 accept",
        "nft add table netdev gatehouse { flags dormant; }",
        "nft chain netdev gatehouse v0 { policy accept; }",
      })
  void seesThatAGuardWasWeakenedByHandAndMendsIt(String command) throws Exception {
    guard(Set.of("v0", "v1"), Set.of());
    namespace.sh(command);
    assertThat(read()).doesNotContain("v0");
    guard(Set.of("v0", "v1"), Set.of());
    assertThat(read()).containsExactly("v0", "v1");
    assertThat(namespace.sh("nft list table netdev gatehouse")).doesNotContain("accept");
  }

  @Test
  void takesTheNameFromAChainThatGuardsNothing() throws Exception {
    namespace.sh("nft add table netdev gatehouse");
    namespace.sh("nft add chain netdev gatehouse v0");
    namespace.sh(
        "nft add chain netdev gatehouse v1"
            + " { type filter hook ingress device v0 priority 5; policy drop; }");
    assertThat(read()).isEmpty();
    guard(Set.of("v0", "v1"), Set.of());
    assertThat(read()).containsExactly("v0", "v1");
    assertThat(reachable()).isFalse();
  }

  @Test
  void keepsFramesFromTheStackButNotFromPacketSockets() throws Exception {
    assertThat(reachable()).isTrue();
    guard(Set.of("v0"), Set.of());
    Process tcpdump = namespace.start("tcpdump -l -n -i v0 -c 1 arp or icmp");
    try (BufferedReader lines = tcpdump.inputReader()) {
      awaitLine(lines, "listening on v0");
      assertThat(reachable()).isFalse();
      awaitLine(lines, "10.0.0.1");
    } finally {
      tcpdump.destroyForcibly();
    }
    guard(Set.of(), Set.of("v0"));
    assertThat(reachable()).isTrue();
  }

  @Test
  void tellsTheTruthWhenADeviceGoesAndComesBack() throws Exception {
    guard(Set.of("v0"), Set.of());
    namespace.sh("ip link del v0");
    // Linux 6.16 keeps the guard for the name, older ones drop it; what counts is that it is true.
    boolean kept = read().contains("v0");
    addVeth();
    assertThat(read().contains("v0")).isEqualTo(kept);
    assertThat(reachable()).isEqualTo(!kept);
    guard(Set.of("v0"), Set.of());
    assertThat(read()).containsExactly("v0");
    assertThat(reachable()).isFalse();
  }

  @Test
  void tellsTheTruthWhenADeviceIsRenamed() throws Exception {
    guard(Set.of("v0"), Set.of());
    namespace.sh("ip link set v0 down");
    namespace.sh("ip link set v0 name w0");
    namespace.sh("ip link set w0 up");
    namespace.sh("ip addr replace 10.0.0.1/24 dev w0");
    boolean follows = read().contains("w0");
    assertThat(reachable()).isEqualTo(!follows);
    guard(Set.of("w0"), Set.of("v0"));
    assertThat(read()).containsExactly("w0");
    assertThat(reachable()).isFalse();
  }

  @Test
  void changesNothingWhenOnePartIsRefused() throws Exception {
    guard(Set.of("v0"), Set.of());
    namespace.sh("nft add chain netdev gatehouse held");
    namespace.sh("nft add rule netdev gatehouse held return");
    namespace.sh("nft add chain netdev gatehouse other");
    namespace.sh("nft add rule netdev gatehouse other jump held");
    assertThatThrownBy(() -> guard(Set.of("v1"), Set.of("held", "v0")))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
        .hasMessageContaining("delete nft chain held: EBUSY");
    assertThat(read()).containsExactly("v0");
  }

  @Test
  @DisplayName("what is written is what nft prints, and nothing else")
  void nftPrintsTheGuard() throws Exception {
    guard(Set.of("v0"), Set.of());
    assertThat(namespace.sh("nft -n list table netdev gatehouse").lines().map(String::strip))
        .containsExactly(
            "table netdev gatehouse {",
            "chain v0 {",
            "type filter hook ingress device \"v0\" priority -500; policy drop;",
            "}",
            "}");
  }

  @Test
  void manyAtOnce() throws Exception {
    Set<String> names = IntStream.range(0, 300).mapToObj(i -> "m" + i).collect(toSet());
    for (String name : names) {
      namespace.sh("ip link add name " + name + " type bridge");
    }
    guard(names, Set.of());
    assertThat(read()).isEqualTo(names);
    guard(Set.of(), names);
    assertThat(read()).isEmpty();
  }

  @Test
  void aChangeByOthersIsHeardOf() throws Exception {
    guard(Set.of("v0"), Set.of());
    Semaphore changes = new Semaphore(0);
    try (NetlinkMonitor monitor =
        namespace.run(
            () -> NetlinkMonitor.start(NetlinkMonitor.Subject.NF_TABLES, changes::release))) {
      assertThat(monitor).isNotNull();
      namespace.sh("nft add rule netdev gatehouse v0 accept");
      assertThat(changes.tryAcquire(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private Set<String> read() throws DeviceException {
    return guard.read();
  }

  private void guard(Set<String> add, Set<String> remove) throws DeviceException {
    guard.guard(add, remove);
  }

  private boolean reachable() throws Exception {
    Process ping = host.start("ping -c1 -W1 10.0.0.1");
    ping.getInputStream().readAllBytes();
    return ping.waitFor() == 0;
  }

  private void addVeth() throws Exception {
    namespace.sh("ip link add v0 type veth peer name h0 netns " + host.name());
    namespace.sh("ip link set v0 up");
    namespace.sh("ip addr add 10.0.0.1/24 dev v0");
    host.sh("ip link set h0 up");
    host.sh("ip addr add 10.0.0.2/24 dev h0");
  }

  private static void awaitLine(BufferedReader lines, String part) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(part)) {
      line = lines.readLine();
    }
    assertThat(line).as("a line with %s", part).isNotNull();
  }
}
