package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.Talk.Answer;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Site;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.Traffic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Security groups on a real Open vSwitch, with packets of real hosts: a server with groups, and two
 * clients.
 */
final class SecurityGroupsIT {
  private static final String SERVER = "10.0.0.1";
  private static final int PROTOCOL = 112;
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final LocalPortPolicy WEB = port("web", 1);
  private static final LocalPortPolicy ONE = port("one", 2);
  private static final LocalPortPolicy TWO = port("two", 3);
  private static final LocalPortPolicy SERVING = Groups.with(WEB, "a/web");

  private static SwitchUnderTest dpu;
  private static TestNamespace server;
  private static TestNamespace one;
  private static TestNamespace two;
  private static Talk talk;

  private static LocalPortPolicy port(String name, int number) {
    return Policies.localPort(
        "a/n/" + name,
        SwitchUnderTest.function(number),
        SwitchUnderTest.mac(number),
        "10.0.0." + number);
  }

  @BeforeAll
  static void start() throws Exception {
    dpu = new SwitchUnderTest();
    server = dpu.addHost(1, SERVER);
    one = dpu.addHost(2, "10.0.0.2");
    two = dpu.addHost(3, "10.0.0.3");
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
    dpu.flushed().clear();
  }

  private static SecurityGroupPolicy web(SecurityRule... rules) {
    return Groups.group("a/web", rules);
  }

  private static SecurityRule in(Traffic traffic) {
    return Groups.in(traffic, Groups.ANYWHERE);
  }

  @Test
  void aPortWithAGroupIsClosedToWhatNoRuleAllows() throws Exception {
    dpu.settle(NETWORK, SERVING, ONE, web());
    assertThat(talk.tcp(one, Talk.TCP)).isEqualTo(Answer.SILENCE);
    assertThat(talk.udp(one, Talk.UDP)).isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(one, SERVER)).isEqualTo(Answer.SILENCE);
    assertThat(talk.ping(server, "10.0.0.2")).as("egress is closed too").isEqualTo(Answer.SILENCE);

    dpu.settle(NETWORK, WEB, ONE);
    assertThat(talk.tcp(one, Talk.TCP)).as("without groups all is open").isEqualTo(Answer.YES);
    assertThat(talk.udp(one, Talk.UDP)).isEqualTo(Answer.YES);
    assertThat(talk.ping(one, SERVER)).isEqualTo(Answer.YES);
  }

  @Test
  void eachKindOfRuleLetsInWhatItSaysAndItsAnswersOut() throws Exception {
    dpu.settle(
        NETWORK,
        SERVING,
        ONE,
        web(
            in(Groups.tcp(Talk.TCP - 3, Talk.TCP)),
            in(Groups.udp(Talk.UDP, Talk.UDP)),
            in(Groups.PING)));
    assertThat(talk.tcp(one, Talk.TCP)).isEqualTo(Answer.YES);
    assertThat(talk.tcp(one, Talk.OTHER_TCP)).isEqualTo(Answer.SILENCE);
    assertThat(talk.udp(one, Talk.UDP)).isEqualTo(Answer.YES);
    assertThat(talk.ping(one, SERVER)).isEqualTo(Answer.YES);
    assertThat(talk.ping(server, "10.0.0.2"))
        .as("nothing opens the way out")
        .isEqualTo(Answer.SILENCE);
  }

  @Test
  void theErrorAboutAConnectionComesBack() throws Exception {
    dpu.settle(
        NETWORK,
        SERVING,
        Groups.with(ONE, "a/client"),
        web(in(Groups.udp(Talk.NOBODY, Talk.NOBODY))),
        Groups.group("a/client", Groups.out(Groups.udp(1, 65_535), Groups.ANYWHERE)));
    assertThat(talk.udp(one, Talk.NOBODY)).as("ICMP port unreachable").isEqualTo(Answer.REFUSED);
    dpu.settle(
        NETWORK,
        SERVING,
        Groups.with(ONE, "a/client"),
        web(),
        Groups.group("a/client", Groups.out(Groups.udp(1, 65_535), Groups.ANYWHERE)));
    assertThat(talk.udp(one, Talk.NOBODY)).isEqualTo(Answer.SILENCE);
  }

  @Test
  void aPrefixIsThoseWithAnAddressInIt() throws Exception {
    dpu.settle(
        NETWORK,
        SERVING,
        ONE,
        TWO,
        web(Groups.in(Groups.tcp(Talk.TCP, Talk.TCP), Groups.prefix("10.0.0.2/32"))));
    assertThat(talk.tcp(one, Talk.TCP)).isEqualTo(Answer.YES);
    assertThat(talk.tcp(two, Talk.TCP)).isEqualTo(Answer.SILENCE);
  }

  @Test
  void protocolsWithoutPortsAreRulesToo() throws Exception {
    dpu.settle(
        NETWORK,
        SERVING,
        ONE,
        web(in(new Traffic.Protocol(PROTOCOL)), in(new Traffic.Protocol(0))));
    for (int protocol : new int[] {0, PROTOCOL, PROTOCOL + 1}) {
      inject(protocol);
    }
    assertThat(connections(zoneOf("rep1")).lines())
        .as("the connections that were let in")
        .hasSize(2)
        .allMatch(line -> line.contains("src=10.0.0.2,dst=10.0.0.1"))
        .anyMatch(line -> line.startsWith(PROTOCOL + ","))
        .noneMatch(line -> line.startsWith(PROTOCOL + 1 + ","));
  }

  /**
   * An echo reply that nobody asked for, and "I listen to ff02::1:ff00:1" (RFC 3810), of a port
   * whose groups allow everything.
   */
  @Test
  void whatBelongsToNoConnectionAndOpensNoneIsDroppedAndCounted() throws Exception {
    PolicyResource both = Policies.network("a/n", 7, "10.0.0.0/24", "fd00::/64");
    LocalPortPolicy host =
        Groups.with(
            Policies.localPort(
                "a/n/web", SwitchUnderTest.function(1), SwitchUnderTest.mac(1), SERVER, "fd00::1"),
            "a/web");
    dpu.settle(both, host, ONE, web(in(Groups.ANY), Groups.out(Groups.ANY, Groups.ANYWHERE)));
    long reports = packets("ct_state=+inv+trk,icmp6,icmp_type=143");
    long others = packets("priority=90,ct_state=+inv+trk ");
    String mac = SwitchUnderTest.mac(1).replace(":", "");
    String echoReply = "4500002000000000400166db0a0000010a000002" + "0000aaa800010001aaaaaaaa";
    send("rep1", SwitchUnderTest.mac(2).replace(":", "") + mac + "0800" + echoReply);
    String addresses = "fe80000000000000000000fffe000001" + "ff020000000000000000000000000016";
    String report = "8f00720700000001" + "04000000ff0200000000000000000001ff000001";
    send(
        "rep1",
        "333300000016" + mac + "86dd6000000000240001" + addresses + "3a00050200000100" + report);
    assertThat(packets("ct_state=+inv+trk,icmp6,icmp_type=143")).isEqualTo(reports + 1);
    assertThat(packets("priority=90,ct_state=+inv+trk ")).isEqualTo(others + 1);
  }

  private static long packets(String form) {
    dpu.vswitchd().appctl("revalidator/purge");
    return dpu.vswitchd()
        .ofctl("dump-flows", Site.BRIDGE)
        .lines()
        .filter(line -> line.contains("table=31,") && line.contains(form))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*n_packets=(\\d+),.*", "$1")))
        .sum();
  }

  private static void send(String device, String frame) {
    dpu.vswitchd()
        .ofctl(
            "packet-out",
            Site.BRIDGE,
            "in_port=%s,packet=%s,actions=TABLE".formatted(portOf(device), frame));
  }

  /** Puts an IP packet without a body into the pipeline, as if host one had sent it. */
  private static void inject(int protocol) {
    String ethernet = (SwitchUnderTest.mac(1) + SwitchUnderTest.mac(2)).replace(":", "") + "0800";
    String addresses = "0a0000020a000001";
    int sum = 0x4500 + 20 + 0x4000 + protocol + 0x0a00 + 0x0002 + 0x0a00 + 0x0001;
    String header = "450000140000000040%02x%04x".formatted(protocol, ~sum & 0xffff) + addresses;
    dpu.vswitchd()
        .ofctl(
            "packet-out",
            Site.BRIDGE,
            "in_port=%s,packet=%s,actions=TABLE".formatted(portOf("rep2"), ethernet + header));
  }

  private static String portOf(String device) {
    return dpu.vswitchd().vsctl("get", "interface", device, "ofport").strip();
  }

  @Test
  @DisplayName("F34: a member that leaves the group loses its connections, and no other does")
  void aMemberThatLeavesLosesItsConnections() throws Exception {
    SecurityGroupPolicy rules =
        web(Groups.in(Groups.tcp(Talk.TCP, Talk.TCP), Groups.members("a/clients")));
    SecurityGroupPolicy clients =
        Groups.group("a/clients", Groups.out(Groups.ANY, Groups.ANYWHERE));
    LocalPortPolicy first = Groups.with(ONE, "a/clients");
    LocalPortPolicy second = Groups.with(TWO, "a/clients");
    dpu.settle(NETWORK, SERVING, first, second, rules, clients);
    try (Talk.Connection mine = talk.open(one, Talk.TCP);
        Talk.Connection others = talk.open(two, Talk.TCP)) {
      assertThat(mine.echo()).isEqualTo(Answer.YES);
      assertThat(others.echo()).isEqualTo(Answer.YES);

      dpu.flushed().clear();
      dpu.settle(NETWORK, SERVING, ONE, second, rules, clients);
      assertThat(mine.echo()).isEqualTo(Answer.SILENCE);
      assertThat(others.echo()).isEqualTo(Answer.YES);
      assertThat(talk.tcp(one, Talk.TCP)).isEqualTo(Answer.SILENCE);
      assertThat(dpu.flushed()).as("nothing needs to be flushed").isEmpty();
    }
  }

  @Test
  @DisplayName("F34: a rule that goes away ends its connections, both ways, and no other")
  void aRemovedRuleEndsItsConnections() throws Exception {
    SecurityRule kept = in(Groups.tcp(Talk.OTHER_TCP, Talk.OTHER_TCP));
    dpu.settle(NETWORK, SERVING, ONE, web(kept, in(Groups.tcp(Talk.TCP, Talk.TCP))));
    try (Talk.Connection ends = talk.open(one, Talk.TCP);
        Talk.Connection stays = talk.open(one, Talk.OTHER_TCP)) {
      assertThat(ends.echo()).isEqualTo(Answer.YES);
      assertThat(stays.echo()).isEqualTo(Answer.YES);

      dpu.settle(NETWORK, SERVING, ONE, web(kept));
      assertThat(ends.echo()).isEqualTo(Answer.SILENCE);
      assertThat(stays.echo()).isEqualTo(Answer.YES);

      dpu.settle(NETWORK, SERVING, ONE, web(kept, in(Groups.tcp(Talk.TCP, Talk.TCP))));
      assertThat(ends.awaitEcho()).as("allowed again, it goes on").isEqualTo(Answer.YES);
    }
  }

  @Test
  @DisplayName("F34: what another rule still allows goes on")
  void aConnectionThatAnotherRuleAllowsGoesOn() throws Exception {
    SecurityRule wide = in(Groups.tcp(1, 65_535));
    dpu.settle(NETWORK, SERVING, ONE, web(wide, in(Groups.tcp(Talk.TCP, Talk.TCP))));
    try (Talk.Connection stays = talk.open(one, Talk.TCP)) {
      assertThat(stays.echo()).isEqualTo(Answer.YES);
      dpu.settle(NETWORK, SERVING, ONE, web(wide));
      assertThat(stays.echo()).isEqualTo(Answer.YES);
    }
  }

  @Test
  @DisplayName("F31: neither agent nor switch flushes a zone when it starts")
  void connectionsOutliveTheAgent() throws Exception {
    List<PolicyResource> policy =
        new ArrayList<>(List.of(NETWORK, SERVING, ONE, web(in(Groups.tcp(Talk.TCP, Talk.TCP)))));
    dpu.settle(policy.toArray(new PolicyResource[0]));
    String zone = zoneOf("rep1");
    try (Talk.Connection open = talk.open(one, Talk.TCP)) {
      assertThat(open.echo()).isEqualTo(Answer.YES);
      dpu.flushed().clear();
      dpu.restartAgent();
      dpu.settle(policy.toArray(new PolicyResource[0]));
      assertThat(open.echo()).isEqualTo(Answer.YES);

      dpu.vswitchd().killVswitchd();
      dpu.vswitchd().startVswitchd();
      dpu.settle(policy.toArray(new PolicyResource[0]));
      assertThat(open.awaitEcho()).isEqualTo(Answer.YES);
      assertThat(dpu.flushed()).isEmpty();
      assertThat(zoneOf("rep1")).isEqualTo(zone);
    }
  }

  @Test
  @DisplayName(
      "F30: a zone for each port; what a port left in its zone is gone before the next one")
  void aZoneIsFlushedBeforeItsNextPort() throws Exception {
    SecurityGroupPolicy rules = web(in(Groups.tcp(Talk.TCP, Talk.TCP)));
    dpu.settle(NETWORK, SERVING, Groups.with(TWO, "a/web"), ONE, rules);
    assertThat(zoneOf("rep1")).isNotEqualTo(zoneOf("rep3")).isNotEqualTo("0");
    String zone = zoneOf("rep1");
    assertThat(talk.tcp(one, Talk.TCP)).isEqualTo(Answer.YES);
    assertThat(connections(zone)).isNotEmpty();

    dpu.settle(NETWORK, Groups.with(TWO, "a/web"), ONE, rules);
    assertThat(connections(zone)).as("nobody has the zone, nobody flushes it").isNotEmpty();
    dpu.settle(NETWORK, SERVING, Groups.with(TWO, "a/web"), ONE, rules);
    assertThat(zoneOf("rep1")).isEqualTo(zone);
    assertThat(connections(zone)).isEmpty();
  }

  private static String zoneOf(String device) {
    return dpu.vswitchd()
        .vsctl("get", "port", device, "external_ids:" + Site.ZONE_KEY)
        .strip()
        .replace("\"", "");
  }

  private static String connections(String zone) {
    return dpu.vswitchd().appctl("dpctl/dump-conntrack", "netdev@ovs-netdev", "zone=" + zone);
  }
}
