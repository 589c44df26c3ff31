package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.Talk.Answer;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.Site;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Peers on a real Open vSwitch, with packets of real hosts: a server, a host of its network's peer,
 * and a host of a network that is nobody's peer. All hosts think that all prefixes are on the link.
 */
final class PeeringIT {
  private static final String SERVER = "10.0.0.1";
  private static final String SERVER_V6 = "fd00::1";
  private static final String PEER = "10.1.0.2";
  private static final String PEER_V6 = "fd01::2";
  private static final LocalPortPolicy SERVING = port("a/n/server", 1, SERVER, SERVER_V6);
  private static final LocalPortPolicy PEERING = port("b/n/peer", 2, PEER, PEER_V6);
  private static final List<PolicyResource> APART =
      List.of(
          Policies.network("a/n", 7, "10.0.0.0/24", "fd00::/64"),
          Policies.network("b/n", 8, "10.1.0.0/24", "fd01::/64"),
          Policies.network("c/n", 9, "10.2.0.0/24", "fd02::/64"),
          port("c/n/stranger", 3, "10.2.0.3", "fd02::3"));
  private static final List<PolicyResource> CONSENT =
      List.of(
          Policies.peering("a/n/to-b", "b/n", 8, "10.1.0.0/24", "fd01::/64"),
          Policies.peering("b/n/to-a", "a/n", 7, "10.0.0.0/24", "fd00::/64"));

  private static SwitchUnderTest dpu;
  private static TestNamespace server;
  private static TestNamespace peer;
  private static TestNamespace stranger;
  private static Talk talk;

  private static LocalPortPolicy port(String name, int number, String... addresses) {
    return Policies.localPort(
        name, SwitchUnderTest.function(number), SwitchUnderTest.mac(number), addresses);
  }

  @BeforeAll
  static void start() throws Exception {
    dpu = new SwitchUnderTest();
    server = host(1, SERVER, SERVER_V6);
    peer = host(2, PEER, PEER_V6);
    stranger = host(3, "10.2.0.3", "fd02::3");
    talk = new Talk(server);
  }

  private static TestNamespace host(int number, String address, String v6) throws Exception {
    TestNamespace host = dpu.addHost(number, address);
    host.sh("ip addr add " + v6 + "/64 dev eth0 nodad");
    for (int network = 0; network < 3; network++) {
      host.sh("ip route replace 10." + network + ".0.0/24 dev eth0");
      host.sh("ip route replace fd0" + network + "::/64 dev eth0");
    }
    return host;
  }

  @AfterAll
  static void stop() throws Exception {
    talk.close();
    dpu.close();
  }

  /** Nobody remembers who was there and who was not. */
  @BeforeEach
  void forget() throws Exception {
    settle(List.of(), SERVING, PEERING);
    for (TestNamespace host : List.of(server, peer, stranger)) {
      host.sh("ip neigh flush dev eth0");
    }
  }

  private static void settle(List<PolicyResource> peerings, PolicyResource... more)
      throws Exception {
    List<PolicyResource> all = new ArrayList<>(APART);
    all.addAll(peerings);
    all.addAll(List.of(more));
    dpu.settle(all.toArray(new PolicyResource[0]));
  }

  private static void assertNothingPasses(TestNamespace from) throws Exception {
    assertThat(talk.tcp(from, Talk.TCP)).isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(from, SERVER)).isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(from, SERVER_V6)).isEqualTo(Answer.SILENCE);
  }

  @Test
  void peersReachEachOtherByTheRouterAndNobodyElseReachesThem() throws Exception {
    settle(CONSENT, SERVING, PEERING);

    assertThat(talk.tcp(peer, Talk.TCP)).isEqualTo(Answer.YES);
    assertThat(talk.udp(peer, Talk.UDP)).isEqualTo(Answer.YES);
    assertThat(peer.sh("ping -c 1 -W 20 " + SERVER)).contains("ttl=63");
    assertThat(peer.sh("ping -c 1 -W 20 " + SERVER_V6)).contains("ttl=63");
    assertThat(talk.ping(server, PEER)).isEqualTo(Answer.YES);
    assertThat(talk.ping(server, PEER_V6)).isEqualTo(Answer.YES);
    assertThat(peer.sh("ip neigh show " + SERVER)).contains(RouterIdentity.MAC.toString());
    assertThat(peer.sh("ip neigh show " + SERVER_V6)).contains(RouterIdentity.MAC.toString());

    assertNothingPasses(stranger);
    assertThat(talk.ping(server, "10.2.0.3")).isEqualTo(Answer.SILENCE);
  }

  @Test
  void withoutAPeeringNothingPasses() throws Exception {
    assertNothingPasses(peer);
    assertThat(talk.ping(server, PEER)).isEqualTo(Answer.SILENCE);
  }

  @Test
  @DisplayName("a peer is not reached by its own MAC address, nor is the router by who is no peer")
  void knowingMacAddressesOpensNothing() throws Exception {
    settle(CONSENT, SERVING, PEERING);
    neighbour(peer, SwitchUnderTest.mac(1));
    assertNothingPasses(peer);
    neighbour(peer, "ff:ff:ff:ff:ff:ff");
    assertNothingPasses(peer);
    neighbour(stranger, RouterIdentity.MAC.toString());
    assertNothingPasses(stranger);
    neighbour(peer, RouterIdentity.MAC.toString());
    assertThat(talk.tcp(peer, Talk.TCP)).isEqualTo(Answer.YES);
  }

  private static void neighbour(TestNamespace host, String mac) throws Exception {
    for (String address : List.of(SERVER, SERVER_V6)) {
      host.sh("ip neigh replace " + address + " lladdr " + mac + " dev eth0");
    }
  }

  @Test
  void aPacketWithoutAHopLeftIsGone() throws Exception {
    settle(CONSENT, SERVING, PEERING);
    assertThat(peer.sh("ping -c 1 -W 20 -t 2 " + SERVER)).contains("1 received");
    assertThat(dropped()).isZero();
    assertThat(talk.ping(peer, "-t 1 " + SERVER)).isEqualTo(Answer.SILENCE);
    assertThat(dropped()).isPositive();
  }

  private static long dropped() {
    dpu.vswitchd().appctl("revalidator/purge");
    return dpu.vswitchd()
        .ofctl("dump-flows", Site.BRIDGE, "table=40")
        .lines()
        .filter(line -> line.contains("nw_ttl=1"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*n_packets=(\\d+),.*", "$1")))
        .sum();
  }

  @Test
  void theGroupsOfBothSidesJudge() throws Exception {
    LocalPortPolicy serving = Groups.with(SERVING, "a/web");
    LocalPortPolicy asking = Groups.with(PEERING, "b/clients");
    PolicyResource clients =
        Groups.group(
            "b/clients",
            Groups.out(Groups.tcp(Talk.TCP, Talk.OTHER_TCP), Groups.prefix("10.0.0.0/24")));
    PolicyResource web =
        Groups.group(
            "a/web", Groups.in(Groups.tcp(Talk.TCP, Talk.TCP), Groups.prefix("10.1.0.0/24")));
    settle(CONSENT, serving, asking, web, clients);

    assertThat(talk.tcp(peer, Talk.TCP)).isEqualTo(Answer.YES);
    assertThat(talk.tcp(peer, Talk.OTHER_TCP)).as("the server's").isEqualTo(Answer.SILENCE);
    assertThat(talk.udp(peer, Talk.UDP)).as("the client's").isEqualTo(Answer.SILENCE);
    try (Talk.Connection open = talk.open(peer, Talk.TCP)) {
      assertThat(open.echo()).isEqualTo(Answer.YES);
      settle(CONSENT, serving, asking, Groups.group("a/web"), clients);
      assertThat(open.echo()).as("its rule is gone").isEqualTo(Answer.SILENCE);
    }
  }

  @Test
  void whenEitherSideEndsItConnectionsEnd() throws Exception {
    for (PolicyResource half : CONSENT) {
      settle(CONSENT, SERVING, PEERING);
      try (Talk.Connection open = talk.open(peer, Talk.TCP)) {
        assertThat(open.echo()).isEqualTo(Answer.YES);

        settle(List.of(), SERVING, PEERING);
        assertThat(open.echo()).isEqualTo(Answer.SILENCE);
        assertThat(talk.ping(server, PEER)).isEqualTo(Answer.SILENCE);

        settle(CONSENT, SERVING, PEERING);
        assertThat(open.awaitEcho()).as("agreed again, it goes on").isEqualTo(Answer.YES);
      }
      settle(List.of(half), SERVING, PEERING);
      assertNothingPasses(peer);
    }
  }
}
