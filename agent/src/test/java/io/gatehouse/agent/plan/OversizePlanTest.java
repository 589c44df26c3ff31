package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.walk.Delivery;
import io.gatehouse.agent.walk.FlowTables;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.agent.walk.PacketWalker;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Where packets of every size go by the plan. */
final class OversizePlanTest {
  private static final int FRAME = 1_450 + 14;
  private static final int TUNNEL = 1;
  private static final int WEB = 2;
  private static final int OTHER = 3;

  private static Packet packet(int from, int bytes, String to) {
    return Packet.from(from)
        .with(Field.ETH_SRC, MacAddress.parse("02:00:00:00:00:01"))
        .with(Field.ETH_DST, MacAddress.parse(to))
        .with(Field.ETH_TYPE, 0x0800)
        .with(Field.IP_SRC, Field.IPV6_SRC, IpAddress.parse("10.0.0.1"))
        .with(Field.IP_DST, Field.IPV6_DST, IpAddress.parse("10.0.0.9"))
        .with(Field.IP_PROTO, 17)
        .ofLength(bytes);
  }

  private static Packet outOfTunnel(int bytes) {
    return packet(TUNNEL, bytes, "02:00:00:00:00:01")
        .with(Field.TUN_ID, 100)
        .with(Field.TUN_SRC, Field.TUN_IPV6_SRC, IpAddress.parse("192.0.2.2"));
  }

  private static List<Integer> ports(String scenario, Packet packet) throws IOException {
    Scenario planned = Scenario.named(scenario);
    PacketWalker walker =
        new PacketWalker(
            new FlowTables(planned.plan().flows().flows()),
            new TreeSet<>(planned.facts().openFlowPorts().values()));
    return walker.walk(packet, List.of()).deliveries().stream().map(Delivery::port).toList();
  }

  @Test
  void oneByteMoreGoesToTheAgentAndNowhereElse() throws IOException {
    String here = "02:00:00:00:00:02";
    assertThat(ports("three-dpus", packet(WEB, FRAME, here))).containsExactly(OTHER);
    assertThat(ports("three-dpus", packet(WEB, FRAME + 1, here)))
        .containsExactly(Actions.CONTROLLER);

    String away = "02:00:00:00:00:03";
    assertThat(ports("three-dpus", packet(WEB, FRAME, away))).containsExactly(TUNNEL);
    assertThat(ports("three-dpus", packet(WEB, FRAME + 1, away)))
        .containsExactly(Actions.CONTROLLER);
  }

  /** 1350 bytes reach the one DPU, 1150 the other; IPv6 is never told less than 1280. */
  @Test
  void aNarrowPathHasItsOwnLimit() throws IOException {
    String first = "02:00:00:00:00:03";
    String second = "02:00:00:00:00:04";
    assertThat(ports("narrow-path", packet(WEB, 1_364, first))).containsExactly(TUNNEL);
    assertThat(ports("narrow-path", packet(WEB, 1_365, first))).containsExactly(Actions.CONTROLLER);
    assertThat(ports("narrow-path", packet(WEB, 1_164, second))).containsExactly(TUNNEL);
    assertThat(ports("narrow-path", packet(WEB, 1_165, second)))
        .containsExactly(Actions.CONTROLLER);
    assertThat(ports("narrow-path", v6(1_294, second))).containsExactly(TUNNEL);
    assertThat(ports("narrow-path", v6(1_295, second))).containsExactly(Actions.CONTROLLER);
    assertThat(ports("narrow-path", packet(WEB, FRAME, "02:00:00:00:00:02")))
        .as("on this DPU")
        .containsExactly(OTHER);
    assertThat(ports("narrow-path", packet(WEB, FRAME, "ff:ff:ff:ff:ff:ff")))
        .as("for many: as before")
        .containsExactly(OTHER, TUNNEL, TUNNEL);
  }

  private static Packet v6(int bytes, String to) {
    return packet(WEB, bytes, to)
        .with(Field.ETH_TYPE, 0x86dd)
        .with(Field.IPV6_SRC, Field.IPV6_SRC, IpAddress.parse("fd00:1::1"))
        .with(Field.IPV6_DST, Field.IPV6_DST, IpAddress.parse("fd00:1::9"));
  }

  @Test
  void whatIsForNobodyIsNotAnswered() throws IOException {
    assertThat(ports("three-dpus", packet(WEB, 9_000, "02:00:00:00:00:77"))).isEmpty();
  }

  @Test
  void whatTheUnderlayHasCarriedArrives() throws IOException {
    assertThat(ports("three-dpus", outOfTunnel(FRAME))).containsExactly(WEB);
    assertThat(ports("three-dpus", outOfTunnel(9_000))).containsExactly(WEB);
  }

  @Test
  void aBroadcastIsLookedAtOnce() throws IOException {
    String all = "ff:ff:ff:ff:ff:ff";
    assertThat(ports("three-dpus", packet(WEB, FRAME, all))).containsExactly(OTHER, TUNNEL, TUNNEL);
    assertThat(ports("three-dpus", packet(WEB, FRAME + 1, all)))
        .containsExactly(Actions.CONTROLLER, OTHER, TUNNEL, TUNNEL);
  }

  @Test
  void aSharedMacAddressIsLookedAtOnce() throws IOException {
    String shared = "00:00:5e:00:01:01";
    assertThat(ports("address-pairs", packet(WEB, FRAME, shared))).containsExactly(OTHER, TUNNEL);
    assertThat(ports("address-pairs", packet(WEB, FRAME + 1, shared)))
        .containsExactly(Actions.CONTROLLER, OTHER, TUNNEL);
  }

  /** A branch of more than 64 KB ends ovs-vswitchd (docs/decisions/0084). */
  @Test
  void noListStandsBehindACheckOfTheSize() throws IOException {
    for (Scenario scenario : Scenario.all()) {
      for (Flow flow : scenario.plan().flows().flows()) {
        int check = indexOfCheck(flow.actions());
        if (check >= 0) {
          long outputs =
              flow.actions().stream()
                  .skip(check)
                  .filter(action -> action instanceof Action.Resubmit)
                  .count();
          assertThat(outputs).as(flow.toString()).isEqualTo(1);
        }
        boolean behind =
            flow.table() == PipelineTable.MTU.number()
                || flow.table() == PipelineTable.OVERSIZE.number();
        assertThat(behind && flow.actions().contains(Actions.resubmit(50)))
            .as("back to the lists: %s", flow)
            .isFalse();
      }
    }
  }

  private static int indexOfCheck(List<Action> actions) {
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i) instanceof Action.CheckPktLarger) {
        return i;
      }
    }
    return -1;
  }
}
