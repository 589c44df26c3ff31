package io.gatehouse.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.dhcp.Verdict;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AnswerDeskTest {
  private static final Octets OURS = Octets.of(PuntKind.HOST_QUESTION.code());
  private static final int WEB = 2;
  private static final int DATABASE = 3;

  /** A router solicitation of Linux, up to the last byte of its MAC addresses. */
  private static final String SOLICITATION =
      "3333000000020200000000%1$s86dd6000000000103afffe80000000000000000000fffe0000%1$s"
          + "ff02000000000000000000000000000285007b2c0000000001010200000000%1$s";

  /** IPv6 without a payload, from the first host to the second. */
  private static final Octets LARGE =
      Octets.of(
          HexFormat.of()
              .parseHex(
                  "02000000000202000000000186dd6000000000003b40"
                      + "fd000000000000000000000000000001fd000000000000000000000000000002"));

  private final BlockingQueue<Integer> sent = new LinkedBlockingQueue<>();
  private final Counts counts = new Counts();
  private final AtomicLong nanos = new AtomicLong(1);
  private HostDirectory directory = directory(1_450);
  private final AnswerDesk desk =
      new AnswerDesk(() -> directory, (port, frame) -> sent.add(port), counts, nanos::get);

  /** Counts by name. */
  private static final class Counts implements AnswerMeter {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final BlockingQueue<Verdict.Reason> drops = new LinkedBlockingQueue<>();

    @Override
    public void answered(Verdict.Kind kind) {
      counts.merge(kind.name(), 1, Integer::sum);
    }

    @Override
    public void dropped(PuntKind kind, Verdict.Reason reason) {
      String prefix = kind == PuntKind.OVERSIZE ? "oversize " : "";
      counts.merge(prefix + reason.name(), 1, Integer::sum);
      drops.add(reason);
    }

    @Override
    public void announced() {
      counts.merge("announced", 1, Integer::sum);
    }

    int of(Object what) {
      return counts.getOrDefault(what.toString(), 0);
    }
  }

  private static HostDirectory directory(int mtuBytes) {
    return directory(mtuBytes, HostConfiguration.DEFAULT);
  }

  private static HostDirectory directory(int mtuBytes, HostConfiguration hosts) {
    NetworkPolicy some = Policies.network("acme/blue", 100, "10.0.0.0/24", "fd00::/64");
    NetworkPolicy network =
        new NetworkPolicy(some.name(), some.vni(), some.cidrs(), mtuBytes, hosts);
    Policy policy =
        Policy.of(
            1,
            List.of(
                network,
                Policies.vtep("dpu-b", "192.0.2.2"),
                port("web", "pf0vf0", 1),
                port("database", "pf0vf1", 2),
                Policies.disabled(port("closed", "pf0vf2", 3)),
                Policies.remotePort(
                    "acme/blue/far", "dpu-b", "02:00:00:00:00:04", "10.0.0.4", "fd00::4")));
    Facts facts =
        Facts.of(
            Map.of("pf0vf0", "rep0", "pf0vf1", "rep1", "pf0vf2", "rep2"),
            Map.of("rep0", WEB, "rep1", DATABASE, "rep2", 4));
    Site site =
        new Site(
            new DpuName("dpu-a"),
            IpAddress.parse("192.0.2.1"),
            Site.Datapath.NETDEV,
            Optional.empty());
    Plan plan = PolicyPlanner.plan(policy, facts, site, FlowPlan.EMPTY);
    return HostDirectory.of(plan, policy, facts);
  }

  private static LocalPortPolicy port(String name, String function, int number) {
    return Policies.localPort(
        "acme/blue/" + name, function, mac(number), "10.0.0." + number, "fd00::" + number);
  }

  private static String mac(int number) {
    return "02:00:00:00:00:0" + number;
  }

  private static Octets solicitation(int number) {
    return Octets.of(HexFormat.of().parseHex(SOLICITATION.formatted("0" + number)));
  }

  private void ask(int port, Octets userdata, Octets frame) {
    desk.ask(new AnswerDesk.Handed(port, userdata, 0, frame));
  }

  private void awaitSent(Integer... ports) throws InterruptedException {
    for (Integer port : ports) {
      assertThat(sent.poll(60, TimeUnit.SECONDS)).isEqualTo(port);
    }
  }

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void theDirectoryHasThePortsOnTheBridge() {
    assertThat(directory.hosts()).containsOnlyKeys(WEB, DATABASE);
    assertThat(directory.at(WEB).orElseThrow().port().key())
        .isEqualTo("tenants/acme/networks/blue/ports/web");
  }

  @Test
  void theDirectoryKnowsNextHopsHereAndElsewhere() {
    List<Route> routes =
        List.of(
            new Route(Cidr.parse("::/0"), IpAddress.parse("fd00::2")),
            new Route(Cidr.parse("fd01::/48"), IpAddress.parse("fd00::4")),
            new Route(Cidr.parse("fd02::/48"), IpAddress.parse("fd00::9")));
    HostConfiguration hosts =
        new HostConfiguration(List.of(), routes, HostConfiguration.DEFAULT_LEASE);

    assertThat(directory(1_450, hosts).at(WEB).orElseThrow().neighbours())
        .isEqualTo(
            Map.of(
                IpAddress.parse("fd00::2"), MacAddress.parse(mac(2)),
                IpAddress.parse("fd00::4"), MacAddress.parse(mac(4))));
  }

  @Test
  void aStormOfOneCostsTheOthersNothing() throws InterruptedException {
    for (int i = 0; i < 2 * AnswerDesk.QUEUE; i++) {
      ask(WEB, OURS, solicitation(1));
    }
    ask(DATABASE, OURS, solicitation(2));

    desk.start();

    Integer[] burst = new Integer[AnswerDesk.BURST];
    Arrays.fill(burst, WEB);
    awaitAnswers(burst);
    assertThat(counts.of(Verdict.Reason.OVER_BUDGET))
        .isEqualTo(2 * AnswerDesk.QUEUE - AnswerDesk.BURST);
    assertThat(counts.of(Verdict.Reason.OVERFLOW)).isZero();
  }

  /** The first round of announcements comes after the first answer. */
  private void awaitAnswers(Integer[] burst) throws InterruptedException {
    int web = 0;
    int database = 0;
    while (web < burst.length + 1 || database < 2) {
      Integer port = sent.poll(60, TimeUnit.SECONDS);
      assertThat(port).as("%d and %d answers", web, database).isIn(WEB, DATABASE);
      web += port == WEB ? 1 : 0;
      database += port == DATABASE ? 1 : 0;
    }
  }

  @Test
  void onlyWhatFlowsOfOursHandOverIsLookedAt() throws InterruptedException {
    ask(WEB, Octets.of((byte) 77), solicitation(1));
    ask(9, OURS, solicitation(1));
    ask(DATABASE, OURS, solicitation(1));
    directory = HostDirectory.EMPTY;
    ask(WEB, OURS, solicitation(1));
    desk.start();

    for (int i = 0; i < 3; i++) {
      assertThat(counts.drops.poll(60, TimeUnit.SECONDS)).isEqualTo(Verdict.Reason.UNKNOWN_PORT);
    }
    assertThat(sent).isEmpty();
  }

  private void oversize(int port) {
    desk.ask(new AnswerDesk.Handed(port, Octets.of(PuntKind.OVERSIZE.code()), 1_450, LARGE));
  }

  @Test
  void whatIsTooLargeIsAnsweredAndHidesNoQuestion() throws InterruptedException {
    desk.tick();
    sent.clear();
    ask(WEB, OURS, solicitation(1));
    oversize(WEB);
    oversize(DATABASE);
    desk.start();

    awaitSent(WEB, WEB);
    assertThat(counts.drops.poll(60, TimeUnit.SECONDS)).isEqualTo(Verdict.Reason.FOREIGN);
    assertThat(counts.of(Verdict.Kind.PACKET_TOO_BIG)).isEqualTo(1);
    assertThat(counts.of("oversize FOREIGN")).isEqualTo(1);
    assertThat(desk.lastTold("tenants/acme/networks/blue/ports/web"))
        .contains("ROUTER_ADVERTISEMENT 0 s ago");
    assertThat(desk.lastTold("tenants/acme/networks/blue/ports/database")).isEmpty();
  }

  @Test
  void aFloodOfLargePacketsLeavesQuestionsTheirBudgetAndTheirRoom() throws InterruptedException {
    desk.tick();
    sent.clear();
    for (int port = 10; port < 10 + AnswerDesk.QUEUE / AnswerDesk.OVERSIZE_BURST; port++) {
      for (int i = 0; i < AnswerDesk.OVERSIZE_BURST + 1; i++) {
        oversize(port);
      }
    }
    oversize(WEB);
    ask(WEB, OURS, solicitation(1));

    int asked = AnswerDesk.QUEUE / AnswerDesk.OVERSIZE_BURST * AnswerDesk.OVERSIZE_BURST + 1;
    assertThat(counts.of("oversize OVER_BUDGET"))
        .isEqualTo(AnswerDesk.QUEUE / AnswerDesk.OVERSIZE_BURST);
    assertThat(counts.of("oversize OVERFLOW")).isEqualTo(asked - AnswerDesk.QUEUE / 2);
    desk.start();
    awaitSent(WEB);
    assertThat(counts.of(Verdict.Kind.ROUTER_ADVERTISEMENT)).isEqualTo(1);
  }

  @Test
  void aPortIsToldOfItselfOnly() throws InterruptedException {
    desk.tick();
    sent.clear();
    ask(DATABASE, OURS, solicitation(1));
    ask(WEB, OURS, solicitation(1));
    desk.start();

    awaitSent(WEB);
    assertThat(counts.of(Verdict.Reason.FOREIGN)).isEqualTo(1);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
    assertThat(desk.lastTold("tenants/acme/networks/blue/ports/web"))
        .contains("ROUTER_ADVERTISEMENT 3 s ago");
    assertThat(desk.lastTold("tenants/acme/networks/blue/ports/database"))
        .contains("no answer: FOREIGN 3 s ago");
    assertThat(desk.lastTold("tenants/acme/networks/blue/ports/closed")).isEmpty();
  }

  @Test
  void aChangeIsAnnouncedAtOnceAndTheRestInTime() throws InterruptedException {
    desk.tick();
    desk.tick();
    assertThat(sent).containsExactlyInAnyOrder(WEB, DATABASE);

    directory = directory(1_400);
    desk.tick();
    assertThat(sent).hasSize(4);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(599));
    desk.tick();
    assertThat(sent).hasSize(4);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    desk.tick();
    assertThat(sent).hasSize(6);

    desk.announceAgain();
    desk.tick();
    assertThat(sent).hasSize(8);
    assertThat(counts.of("announced")).isEqualTo(8);
  }
}
