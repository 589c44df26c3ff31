package io.gatehouse.agent.device.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.sysfs.IfaceSysctl.Ipv6;
import org.junit.jupiter.api.Test;

class IfaceSysctlIT {
  @Test
  void keepsIpv6AwayFromADeviceThatComesUp() throws Exception {
    IfaceSysctl sysctl = new IfaceSysctl(IfaceSysctl.DEFAULT_FOLDER);
    try (TestNamespace namespace = new TestNamespace()) {
      namespace.sh("ip link add v0.7 type veth peer name v1");
      assertThat(namespace.run(() -> sysctl.ipv6("v0.7"))).isEqualTo(Ipv6.ON);
      namespace.run(
          () -> {
            sysctl.setIpv6("v0.7", Ipv6.OFF);
            return sysctl;
          });
      namespace.sh("ip link set v1 up");
      namespace.sh("ip link set v0.7 up");
      assertThat(namespace.run(() -> sysctl.ipv6("v0.7"))).isEqualTo(Ipv6.OFF);
      assertThat(namespace.sh("ip -6 addr show dev v0.7")).isEmpty();
      assertThat(namespace.sh("ip -6 addr show dev v1")).contains("fe80:");
      assertThatThrownBy(() -> namespace.run(() -> sysctl.ipv6("absent")))
          .hasMessageContaining("absent");
    }
  }
}
