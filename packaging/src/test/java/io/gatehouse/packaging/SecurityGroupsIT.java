package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.ACME;
import static io.gatehouse.packaging.Fleet.ACME_NETWORK;
import static io.gatehouse.packaging.Fleet.mac;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.packaging.ReachabilityTable.Host;
import io.gatehouse.packaging.ReachabilityTable.Probe;
import io.gatehouse.packaging.packet.Frames.Ends;
import io.gatehouse.packaging.packet.Mark;
import io.gatehouse.packaging.packet.Openings;
import io.gatehouse.packaging.packet.Openings.Path;
import io.gatehouse.packaging.packet.PacketSocket;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.SecurityGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nine hosts of one tenant on three DPUs under random security groups: every pair, every kind of
 * packet, against a table that is worked out from the rules alone.
 */
@ExtendWith(SharedFleet.class)
final class SecurityGroupsIT {
  private static final int FIRST_EXTRA = 31;
  private static final int DENIED_REPEATS = 3;

  private final Fleet fleet;
  private final Lab lab;
  private final Operator operator;
  private final List<TenantHost> extras = new ArrayList<>();
  private final Map<Host, PacketSocket> taps = new LinkedHashMap<>();
  private ReachabilityTable table = new ReachabilityTable(Map.of(), Map.of());

  SecurityGroupsIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
    this.operator = fleet.operator();
  }

  /** One packet: from whom, to whom, of what kind, and how to find it again. */
  private record Sent(Host from, Host to, Probe probe, Mark mark) {
    static Sent of(Host from, Host to, Probe probe) {
      return new Sent(from, to, probe, Mark.of(from.name() + " " + probe + " " + to.name()));
    }
  }

  @BeforeEach
  void addHosts() {
    for (int i = 0; i < 2 * Fleet.DPUS; i++) {
      int dpu = i % Fleet.DPUS + 1;
      String function = i < Fleet.DPUS ? "pf0vf2" : "pf0vf3";
      int number = FIRST_EXTRA + i;
      TenantHost host = Fleet.host("extra-" + number, dpu, function, number);
      lab.addHost(host);
      extras.add(host);
      operator.create(Fleet.port(host));
    }
    IntStream.rangeClosed(1, 3).forEach(n -> tap("acme-" + n, n));
    extras.forEach(host -> tap(host.name(), extras.indexOf(host) + FIRST_EXTRA));
  }

  @AfterEach
  void removeHosts() {
    taps.values().forEach(PacketSocket::close);
    taps.keySet().forEach(host -> setGroups(host, List.of()));
    extras.forEach(host -> operator.deletePort(Fleet.port(host).getName()));
    extras.forEach(host -> lab.removeHost(host.name()));
    table.groups().keySet().forEach(operator::deleteGroup);
    fleet.applyTenants();
  }

  private void tap(String name, int number) {
    Host host =
        new Host(
            name, IpAddress.parse("10.0.0." + number), IpAddress.parse("fd00:0:0:1::" + number));
    taps.put(host, fleet.tap(name));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyPairReachesWhatItsGroupsAllowAndNothingElse(long seed) {
    List<Host> hosts = List.copyOf(taps.keySet());
    table = ReachabilityTable.random(ACME, hosts, seed);
    // Rules may name any group, so all are there before any has rules.
    table.groups().keySet().forEach(name -> operator.createGroup(groupOf(name)));
    table.groups().values().forEach(operator::updateRules);
    hosts.forEach(host -> setGroups(host, table.groupsOf(host)));

    List<Sent> allowed = new ArrayList<>();
    List<Sent> denied = new ArrayList<>();
    for (Host from : hosts) {
      for (Host to : hosts) {
        for (Probe probe : from.equals(to) ? new Probe[0] : Probe.values()) {
          (table.reaches(from, to, probe) ? allowed : denied).add(Sent.of(from, to, probe));
        }
      }
    }
    assertThat(allowed).as("seed %d allows something", seed).isNotEmpty();
    assertThat(denied).as("seed %d denies something", seed).isNotEmpty();
    allowed.forEach(this::await);
    for (int i = 0; i < DENIED_REPEATS; i++) {
      denied.forEach(this::send);
    }
    // What was sent after the denied ones has arrived, so they would have, too.
    allowed.stream()
        .map(sent -> Sent.of(sent.from(), sent.to(), sent.probe()))
        .forEach(this::await);
    Map<String, Long> leaks = new TreeMap<>();
    for (Sent sent : denied) {
      long count = tapOf(sent.to()).count(sent.mark());
      if (count > 0) {
        leaks.put(sent.mark().name(), count);
      }
    }
    assertThat(leaks).as("seed %d: %s", seed, table).isEmpty();
  }

  private void await(Sent sent) {
    tapOf(sent.to()).await(sent.mark(), () -> send(sent), Eventually.LIMIT);
  }

  private void send(Sent sent) {
    Host from = sent.from();
    Probe probe = sent.probe();
    Path path =
        new Path(
            Ends.of(macOf(from), macOf(sent.to())), from.address(probe), sent.to().address(probe));
    int own = 1_024 + (int) (sent.mark().number() & 0x7fff);
    byte[] frame =
        switch (probe.protocol()) {
          case "tcp" -> Openings.tcp(path, own, probe.port(), sent.mark());
          case "udp" -> Openings.udp(path, own, probe.port(), sent.mark());
          default -> Openings.echo(path, own, sent.mark());
        };
    tapOf(from).send(frame);
  }

  private static String macOf(Host host) {
    String ip = host.ipv4().toString();
    return mac(Integer.parseInt(ip.substring(ip.lastIndexOf('.') + 1)));
  }

  private PacketSocket tapOf(Host host) {
    PacketSocket tap = taps.get(host);
    assertThat(tap).as("tap of %s", host).isNotNull();
    return tap;
  }

  private static SecurityGroup groupOf(String name) {
    return SecurityGroup.newBuilder().setName(name).build();
  }

  private void setGroups(Host host, Iterable<String> groups) {
    Port port =
        Port.newBuilder()
            .setName(ACME_NETWORK + "/ports/" + host.name())
            .addAllSecurityGroups(groups)
            .build();
    operator.update(port, "security_groups");
  }
}
