package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.PacketWalker.Delivery;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who reaches whom, by walking packets through the planned flows of each scenario. */
final class IsolationTest {
  private static final IpAddress UNKNOWN_VTEP = IpAddress.parse("203.0.113.99");
  private static final MacAddress NOBODY = MacAddress.parse("02:00:00:00:ff:ff");
  private static final MacAddress MULTICAST = MacAddress.parse("01:00:5e:00:00:05");

  static List<ScenarioHosts> scenarios() throws IOException {
    // What groups take away from this is SecurityGroupsTest's.
    return Scenario.all().stream()
        .filter(scenario -> scenario.policy().groups().isEmpty())
        .map(ScenarioHosts::new)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("F29: a host reaches the hosts of its own network and nobody else")
  void localUnicast(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      for (LocalPortPolicy to : hosts.scenario().policy().localPorts().values()) {
        boolean reaches =
            !from.equals(to)
                && hosts.open().contains(to)
                && from.name().network().equals(to.name().network());
        List<Delivery> got =
            hosts.walk(Packet.ip(hosts.port(from), from.mac(), to.mac(), from.addresses().get(0)));
        if (reaches) {
          assertThat(got).extracting(Delivery::port).containsExactly(hosts.port(to));
        } else {
          assertThat(got)
              .as("%s to %s", from.key(), to.key())
              .noneMatch(delivery -> hosts.isPortOf(delivery.port(), to));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void remoteUnicastGoesToTheDpuThatHasThePort(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      for (RemotePortPolicy to : hosts.remotes()) {
        if (!to.name().network().equals(from.name().network()) || hosts.tunnel().isEmpty()) {
          continue;
        }
        List<Delivery> got =
            hosts.walk(Packet.ip(hosts.port(from), from.mac(), to.mac(), from.addresses().get(0)));
        assertThat(got).hasSize(1);
        assertThat(got.get(0).port()).isEqualTo(hosts.tunnel().getAsInt());
        assertThat(got.get(0).get(Field.TUN_ID)).isEqualTo(Bits.of(hosts.vni(to.name())));
        assertThat(ScenarioHosts.tunnelDestination(got.get(0))).isEqualTo(hosts.vtep(to));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("F26: what a host sends under an address that is not its own is gone")
  void spoofedSources(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      int port = hosts.port(from);
      for (IpAddress own : from.addresses()) {
        IpAddress forged = new IpAddress(own.family(), own.high(), own.low() ^ 0x40);
        assertThat(hosts.walk(Packet.ip(port, from.mac(), MULTICAST, forged))).isEmpty();
        assertThat(hosts.walk(Packet.ip(port, NOBODY, MULTICAST, own))).isEmpty();
        assertThat(hosts.walk(Packet.question(port, from.mac(), forged, own))).isEmpty();
        assertThat(hosts.walk(Packet.question(port, NOBODY, own, forged))).isEmpty();
        Packet forgedSender =
            Packet.question(port, from.mac(), own, forged)
                .with(Field.ARP_SHA, Bits.of(NOBODY.bits()))
                .with(Field.ND_SLL, Bits.of(NOBODY.bits()));
        assertThat(hosts.walk(forgedSender)).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("F27: router advertisements, redirects and DHCP answers of hosts are gone")
  void forbiddenServices(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      for (IpAddress own : from.addresses()) {
        Packet packet = Packet.ip(hosts.port(from), from.mac(), MULTICAST, own);
        if (own.isV4()) {
          assertThat(hosts.walk(packet.copy().with(Field.UDP_SRC, Bits.of(67)))).isEmpty();
          continue;
        }
        assertThat(hosts.walk(packet.copy().with(Field.UDP_SRC, Bits.of(547)))).isEmpty();
        packet.with(Field.IP_PROTO, Bits.of(Protocols.ICMPV6));
        for (int type = 134; type <= 137; type++) {
          assertThat(hosts.walk(packet.copy().with(Field.ICMPV6_TYPE, Bits.of(type)))).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aQuestionForAnAddressGoesToTheAgentAlone(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      boolean v4 = from.addresses().stream().anyMatch(IpAddress::isV4);
      boolean v6 = from.addresses().stream().anyMatch(IpAddress::isV6);
      assertThat(hosts.asksAgentOnly(discover(hosts, from, from.mac()))).isEqualTo(v4);
      assertThat(hosts.asksAgentOnly(discover(hosts, from, NOBODY))).isFalse();
      Packet solicitation =
          Packet.ip(hosts.port(from), from.mac(), MULTICAST, from.mac().linkLocal())
              .with(Field.IPV6_DST, Packet.bits(IpAddress.parse("ff02::2")))
              .with(Field.IP_PROTO, Bits.of(Protocols.ICMPV6))
              .with(Field.ICMPV6_TYPE, Bits.of(Protocols.ROUTER_SOLICITATION));
      assertThat(hosts.asksAgentOnly(solicitation)).isEqualTo(v6);
    }
  }

  private static Packet discover(ScenarioHosts hosts, LocalPortPolicy from, MacAddress mac) {
    return Packet.ip(hosts.port(from), mac, MacAddress.BROADCAST, IpAddress.V4_UNSPECIFIED)
        .with(Field.IP_DST, Packet.bits(IpAddress.parse("255.255.255.255")))
        .with(Field.UDP_SRC, Bits.of(68))
        .with(Field.UDP_DST, Bits.of(67));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void unknownUnicastIsNotFlooded(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      for (IpAddress own : from.addresses()) {
        assertThat(hosts.walk(Packet.ip(hosts.port(from), from.mac(), NOBODY, own))).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aBroadcastReachesEachMemberOnceAndNobodyElse(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      List<Delivery> got =
          hosts.walk(
              Packet.ip(
                  hosts.port(from), from.mac(), MacAddress.BROADCAST, from.addresses().get(0)));
      assertThat(got)
          .extracting(hosts::describe)
          .containsExactlyInAnyOrderElementsOf(hosts.otherMembers(from));
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("RFC 7348: what came out of a tunnel goes into no tunnel")
  void splitHorizon(ScenarioHosts hosts) {
    for (RemotePortPolicy from : hosts.remotes()) {
      if (hosts.tunnel().isEmpty()) {
        continue;
      }
      for (MacAddress to : hosts.allMacs()) {
        assertThat(hosts.walk(hosts.fromTunnel(from, to)))
            .extracting(Delivery::port)
            .doesNotContain(hosts.tunnel().getAsInt());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aTunnelBringsItsOwnNetworkOnly(ScenarioHosts hosts) {
    if (hosts.tunnel().isEmpty()) {
      return;
    }
    for (RemotePortPolicy from : hosts.remotes()) {
      for (LocalPortPolicy to : hosts.open()) {
        List<Integer> expected =
            from.name().network().equals(to.name().network()) ? List.of(hosts.port(to)) : List.of();
        Packet packet =
            Packet.ip(hosts.tunnel().getAsInt(), from.mac(), to.mac(), from.addresses().get(0));
        int vni = hosts.vni(to.name());
        assertThat(hosts.walk(packet.copy().tunnelled(vni, hosts.vtep(from))))
            .extracting(Delivery::port)
            .isEqualTo(expected);
        assertThat(hosts.walk(packet.copy().tunnelled(vni, UNKNOWN_VTEP)))
            .as("a VTEP that nobody told of")
            .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void anUnknownPortSaysNothing(ScenarioHosts hosts) {
    for (LocalPortPolicy as : hosts.scenario().policy().localPorts().values()) {
      for (IpAddress own : as.addresses()) {
        assertThat(hosts.walk(Packet.ip(77, as.mac(), MacAddress.BROADCAST, own))).isEmpty();
        assertThat(hosts.walk(Packet.question(77, as.mac(), own, own))).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aQuestionIsAnsweredOnTheSpotAndNeverForwarded(ScenarioHosts hosts) {
    for (LocalPortPolicy from : hosts.open()) {
      for (IpAddress own : from.addresses()) {
        for (IpAddress target : hosts.otherAddresses(from, own.family())) {
          List<Delivery> got =
              hosts.walk(Packet.question(hosts.port(from), from.mac(), own, target));
          assertThat(got).hasSize(1);
          assertThat(got.get(0).port()).isEqualTo(hosts.port(from));
          assertThat(got.get(0).get(Field.ETH_DST)).isEqualTo(Bits.of(from.mac().bits()));
          assertThat(ScenarioHosts.answered(got.get(0)))
              .isEqualTo(target + " is at " + hosts.macOf(from, target));
        }
      }
    }
  }

  @Test
  @DisplayName("F28: no IPv6 from or to a port that has none")
  void noIpv6WithoutAddresses() throws IOException {
    ScenarioHosts hosts = new ScenarioHosts(Scenario.named("v4-only"));
    LocalPortPolicy web = hosts.open().get(0);
    IpAddress linkLocal = web.mac().linkLocal();
    assertThat(hosts.walk(Packet.ip(hosts.port(web), web.mac(), MULTICAST, linkLocal))).isEmpty();
  }

  @Test
  @DisplayName("canary: one flow too many is seen")
  void theWalkerSeesAHole() throws IOException {
    Scenario scenario = Scenario.named("two-ports");
    Map<Long, Fragment> flows = new HashMap<>(scenario.plan().flows().fragments());
    Flow hole = new Flow(0, 65_535, 1, Match.ANY, List.of(Actions.output(3)));
    flows.put(1L, new Fragment("somebody", "", List.of(hole)));
    Packet forged = Packet.ip(2, NOBODY, MacAddress.BROADCAST, IpAddress.parse("192.0.2.200"));
    assertThat(new PacketWalker(scenario.plan().flows()).walk(forged)).isEmpty();
    assertThat(new PacketWalker(new FlowPlan(flows)).walk(forged)).hasSize(1);
  }
}
