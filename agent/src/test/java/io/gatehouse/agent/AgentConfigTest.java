package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.Underlay;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentConfigTest {
  private static final String SMALLEST =
      """
      dpu: dpu-1
      vtep:
        address: 192.0.2.1
      control_plane:
        target: control.example:8443
        server_name: control.example
      """;

  private static final String WITH_MISTAKES =
      """
      dpu: DPU_1
      datapath: dpdk
      vtep:
        adress: 192.0.2.1
        underlay_mtu: 100
      underlay:
        device: br-phy
        address: 192.0.2.1
        gateway: nowhere
      control_plane:
        target: control.example
        server_name: control.example
      identity:
        enrollment_target: control.example:port
        token_fil: x
      ovs:
        database: tcp
      log:
        level: loud
      """;

  @TempDir private Path folder;

  private AgentConfig read(String text) throws IOException {
    Path file = folder.resolve("agent.yaml");
    Files.writeString(file, text);
    return AgentConfig.read(file);
  }

  @Test
  void theSmallestFileGetsTheDefaultsOfThePackages() throws IOException {
    AgentConfig config = read(SMALLEST);
    assertThat(config.site())
        .isEqualTo(
            new Site(
                new DpuName("dpu-1"),
                IpAddress.parse("192.0.2.1"),
                Site.Datapath.SYSTEM,
                Optional.empty()));
    assertThat(config.underlayMtuBytes()).isEqualTo(1_500);
    assertThat(config.lldpSocket()).isEqualTo(Path.of("/run/lldpd.socket"));
    assertThat(config.stateDirectory()).isEqualTo(Path.of("/var/lib/gatehouse"));
    assertThat(config.socket()).isEqualTo(Path.of("/run/gatehouse/agent.sock"));
    assertThat(config.identity())
        .isEqualTo(
            new AgentConfig.Identity(
                Path.of("/var/lib/gatehouse/identity"), Optional.empty(), List.of()));
    assertThat(config.ovs().runDirectory()).isEqualTo(Path.of("/run/openvswitch"));
    assertThat(config.functions().byName()).isEmpty();
    assertThat(config.functions().uplink()).isEmpty();
    assertThat(config.observe().getPort()).isEqualTo(9_464);
    assertThat(config.observe().getAddress().isLoopbackAddress()).isTrue();
  }

  @Test
  void anUnderlayIsAnAddressWithItsPrefix() throws IOException {
    AgentConfig config =
        read(
            SMALLEST + "underlay: {device: br-phy, address: 192.0.2.1/24, gateway: 192.0.2.254}\n");
    assertThat(config.site().underlay())
        .contains(
            new Underlay(
                "br-phy",
                IpAddress.parse("192.0.2.1"),
                24,
                Optional.of(IpAddress.parse("192.0.2.254"))));
  }

  @Test
  void allMistakesAreToldAtOnceWithLineFieldAndReason() {
    assertThatThrownBy(() -> read(WITH_MISTAKES))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(String.valueOf(e.getMessage()).replace(folder.toString() + "/", ""))
                    .isEqualTo(
                        """
                        agent.yaml:1: dpu: DPU_1 is not an id: 1 to 40 of a-z, 0-9 and "-", starting with a letter, not ending in "-"
                        agent.yaml:2: datapath: dpdk is none of netdev, system
                        agent.yaml:3: vtep.address: is missing
                        agent.yaml:4: vtep.adress: is not known; did you mean address?
                        agent.yaml:5: vtep.underlay_mtu: 100 is outside 576..65535
                        agent.yaml:8: underlay.address: 192.0.2.1 is not address/length, such as 192.0.2.1/24
                        agent.yaml:9: underlay.gateway: nowhere is not an IPv4 or IPv6 address
                        agent.yaml:11: control_plane.target[0]: control.example is not host:port, such as 192.0.2.1:8443 or [2001:db8::1]:8443
                        agent.yaml:14: identity.enrollment_target[0]: control.example:port is not host:port, such as 192.0.2.1:8443 or [2001:db8::1]:8443
                        agent.yaml:15: identity.token_fil: is not known; did you mean token_file?
                        agent.yaml:17: ovs.database: tcp does not start with unix:, tcp: or ssl:
                        agent.yaml:19: log.level: loud is none of debug, error, info, warn"""));
  }
}
