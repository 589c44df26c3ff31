package io.gatehouse.agent.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FlowTest {

  @Test
  void textIsThatOfOvsOfctl() {
    Flow flow =
        new Flow(
            10,
            100,
            0x6768_0001L,
            Match.builder().inPort(3).arpOp(1).build(),
            List.of(
                Actions.setReg(0, 5001),
                Actions.setEthSrc(MacAddress.parse("02:00:00:00:00:0a")),
                Actions.setTunDst(IpAddress.parse("172.16.2.1")),
                Actions.move(Field.ETH_SRC, Field.ETH_DST),
                Actions.ct(Actions.zoneInReg(5), 31),
                Actions.resubmit(20),
                Actions.output(7),
                Actions.inPort()));

    assertThat(flow)
        .hasToString(
            "table=10,priority=100,cookie=0x67680001,arp,in_port=3,arp_op=1"
                + " actions=set_field:0x1389->reg0,set_field:02:00:00:00:00:0a->eth_src,"
                + "set_field:172.16.2.1->tun_dst,move:eth_src[]->eth_dst[],"
                + "ct(table=31,zone=reg5[0..15]),resubmit(,20),output:7,IN_PORT");
    assertThat(flow.key()).hasToString("table=10,priority=100,arp,in_port=3,arp_op=1");
  }

  @Test
  void noActionDrops() {
    assertThat(new Flow(0, 0, 0, Match.ANY, List.of()))
        .hasToString("table=0,priority=0,cookie=0x0 actions=drop");
  }

  @Test
  void aConjunctionStandsAlone() {
    List<Action> mixed = List.of(Actions.conjunction(1, 1, 2), Actions.output(1));

    assertThatThrownBy(() -> new Flow(0, 1, 0, Match.ANY, mixed))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("conjunction");
  }

  @Test
  void aNoteIsPaddedAsOnTheWire() {
    assertThat(Actions.note((byte) 1)).isEqualTo(Actions.note((byte) 1, (byte) 0));
    assertThat(Actions.note(new byte[7])).isEqualTo(Actions.note(new byte[14]));
  }

  @Test
  void rangesAreChecked() {
    assertThatThrownBy(() -> new Flow(254, 1, 0, Match.ANY, List.of()))
        .hasMessage("table=254 is outside 0..253");
    assertThatThrownBy(() -> Actions.output(0)).hasMessageContaining("output=0");
    assertThatThrownBy(() -> Actions.output(Actions.CONTROLLER)).hasMessageContaining("CONTROLLER");
    assertThatThrownBy(() -> Actions.set(Field.CT_STATE, Bits.ZERO))
        .hasMessageContaining("ct_state");
    assertThatThrownBy(() -> Actions.conjunction(1, 3, 2)).hasMessageContaining("clause");
    assertThat(Actions.output(Actions.LOCAL)).hasToString("LOCAL");
  }
}
