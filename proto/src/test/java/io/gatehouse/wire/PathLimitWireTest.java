package io.gatehouse.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.proto.v1.PathEffect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The limit of a network's paths is on the wire, and what was written without one is read. */
class PathLimitWireTest {
  private static final NetworkName BLUE = NetworkName.parse("tenants/acme/networks/blue");
  private static final List<Cidr> CIDRS = List.of(Cidr.parse("10.0.0.0/24"));
  private static final PathLimit LIMIT =
      new PathLimit(
          1_350, new DpuName("a"), new DpuName("b"), 1_450, Instant.parse("2026-11-30T10:00:00Z"));

  private static Network unlimited() {
    return new Network(
        BLUE,
        "",
        new Vni(7),
        CIDRS,
        0,
        1_350,
        HostConfiguration.DEFAULT,
        Instant.EPOCH,
        Instant.EPOCH);
  }

  private static Network fixed() {
    return new Network(
        BLUE,
        "",
        new Vni(7),
        CIDRS,
        1_450,
        1_450,
        HostConfiguration.DEFAULT,
        Instant.EPOCH,
        Instant.EPOCH);
  }

  private static Network limited(Network network) {
    return network.withPathLimit(Optional.of(LIMIT));
  }

  private static NetworkPolicy policy(int mtu, int probe) {
    return new NetworkPolicy(BLUE, new Vni(7), CIDRS, mtu, mtu, probe, HostConfiguration.DEFAULT);
  }

  @Test
  void networks() {
    var message = NetworkWire.toProto(limited(unlimited()));
    assertThat(message.getPathLimit().getEffect()).isEqualTo(PathEffect.PATH_EFFECT_LOWERED);
    assertThat(message.getPathLimit().getFromDpu()).isEqualTo("dpus/a");
    assertThat(NetworkWire.fromProto(message)).isEqualTo(limited(unlimited()));
    var degraded = NetworkWire.toProto(limited(fixed()));
    assertThat(degraded.getPathLimit().getEffect()).isEqualTo(PathEffect.PATH_EFFECT_DEGRADED);
    assertThat(NetworkWire.fromProto(degraded)).isEqualTo(limited(fixed()));
    var without = NetworkWire.toProto(unlimited());
    assertThat(without.hasPathLimit()).isFalse();
    assertThat(NetworkWire.fromProto(without)).isEqualTo(unlimited());
  }

  @Test
  void aLimitThatIsNoneIsRefusedWithItsPath() {
    var builder = NetworkWire.toProto(limited(unlimited())).toBuilder();
    builder.getPathLimitBuilder().setLargestMtuBytes(1_450);
    assertThatThrownBy(() -> NetworkWire.fromProto(builder.build()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("path_limit.largest_mtu_bytes=1450");
    builder.getPathLimitBuilder().setLargestMtuBytes(1_350).setToDpu("b");
    assertThatThrownBy(() -> NetworkWire.fromProto(builder.build()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("path_limit.to_dpu=b");
    builder.getPathLimitBuilder().setToDpu("dpus/a");
    assertThatThrownBy(() -> NetworkWire.fromProto(builder.build()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("path_limit.to_dpu=dpus/a");
  }

  @Test
  void whatIsProbedIsTheMtuUnlessItSaysMore() {
    assertThat(PolicyWire.toProto(policy(1_350, 1_450)).getNetwork().getProbeMtuBytes())
        .isEqualTo(1_450);
    assertThat(PolicyWire.toProto(policy(1_450, 1_450)).getNetwork().getProbeMtuBytes()).isZero();
    for (NetworkPolicy policy : List.of(policy(1_350, 1_450), policy(1_450, 1_450))) {
      assertThat(PolicyWire.fromProto(PolicyWire.toProto(policy))).isEqualTo(policy);
    }
    assertThatThrownBy(() -> policy(1_450, 1_449))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("network.probe_mtu_bytes=1449 is below mtu_bytes=1450");
  }
}
