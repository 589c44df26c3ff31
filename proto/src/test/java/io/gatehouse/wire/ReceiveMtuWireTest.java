package io.gatehouse.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.NetworkPolicy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The second MTU of a network is on the wire only while it differs from the one in force. */
class ReceiveMtuWireTest {
  private static final NetworkName BLUE = NetworkName.parse("tenants/acme/networks/blue");
  private static final List<Cidr> CIDRS = List.of(Cidr.parse("10.0.0.0/24"));

  private static Network network(int effective, int receive) {
    return new Network(
            BLUE,
            "",
            new Vni(7),
            CIDRS,
            0,
            effective,
            HostConfiguration.DEFAULT,
            Instant.EPOCH,
            Instant.EPOCH)
        .withMtu(effective, receive, Instant.EPOCH);
  }

  private static NetworkPolicy policy(int effective, int receive) {
    return new NetworkPolicy(
        BLUE, new Vni(7), CIDRS, effective, receive, HostConfiguration.DEFAULT);
  }

  @Test
  void networks() {
    assertThat(NetworkWire.toProto(network(1_450, 8_950)).getReceiveMtuBytes()).isEqualTo(8_950);
    assertThat(NetworkWire.toProto(network(1_450, 1_450)).getReceiveMtuBytes()).isZero();
    for (int receive : new int[] {1_450, 8_950}) {
      Network network = network(1_450, receive);
      assertThat(NetworkWire.fromProto(NetworkWire.toProto(network))).isEqualTo(network);
    }
    assertThatThrownBy(() -> network(1_450, 1_400))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("receive_mtu_bytes=1400 is below the 1450 in force");
  }

  @Test
  void policies() {
    for (int receive : new int[] {1_450, 8_950}) {
      NetworkPolicy policy = policy(1_450, receive);
      var message = PolicyWire.toProto(policy);
      assertThat(message.getNetwork().getReceiveMtuBytes()).isEqualTo(receive == 1_450 ? 0 : 8_950);
      assertThat(PolicyWire.fromProto(message)).isEqualTo(policy);
    }
    assertThatThrownBy(() -> policy(1_450, 1_400))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("network.receive_mtu_bytes");
  }
}
