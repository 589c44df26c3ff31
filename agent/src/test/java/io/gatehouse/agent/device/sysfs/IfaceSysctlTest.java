package io.gatehouse.agent.device.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.sysfs.IfaceSysctl.Ipv6;
import io.gatehouse.model.net.InvalidValueException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IfaceSysctlTest {
  @TempDir private Path root;

  @Test
  void switchesADeviceOffAndOn() throws Exception {
    Path file = Files.createDirectories(root.resolve("eth0.100")).resolve("disable_ipv6");
    Files.writeString(file, "0\n");
    IfaceSysctl sysctl = new IfaceSysctl(root);
    assertThat(sysctl.ipv6("eth0.100")).isEqualTo(Ipv6.ON);
    sysctl.setIpv6("eth0.100", Ipv6.OFF);
    assertThat(sysctl.ipv6("eth0.100")).isEqualTo(Ipv6.OFF);
    sysctl.setIpv6("eth0.100", Ipv6.ON);
    assertThat(sysctl.ipv6("eth0.100")).isEqualTo(Ipv6.ON);
  }

  @Test
  void makesNoFileForADeviceThatIsNotThere() throws Exception {
    IfaceSysctl sysctl = new IfaceSysctl(Files.createDirectories(root.resolve("conf")));
    assertThatThrownBy(() -> sysctl.setIpv6("v0", Ipv6.OFF))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED));
    assertThatThrownBy(() -> sysctl.ipv6("v0")).hasMessageContaining("v0");
    assertThat(root.resolve("conf")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "default", "..", ".", "../../etc", "a/b", ""})
  void neverLeavesTheFolderOfOneDevice(String name) {
    IfaceSysctl sysctl = new IfaceSysctl(root);
    assertThatThrownBy(() -> sysctl.ipv6(name)).isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> sysctl.setIpv6(name, Ipv6.OFF))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void countsAKernelWithoutIpv6AsOff() throws Exception {
    IfaceSysctl sysctl = new IfaceSysctl(root.resolve("absent"));
    sysctl.setIpv6("v0", Ipv6.OFF);
    assertThat(sysctl.ipv6("v0")).isEqualTo(Ipv6.OFF);
    assertThatThrownBy(() -> sysctl.setIpv6("v0", Ipv6.ON)).isInstanceOf(DeviceException.class);
  }

  @Test
  void readsTheBootsId() throws Exception {
    UUID id = BootId.read(BootId.DEFAULT_FILE);
    assertThat(BootId.read(BootId.DEFAULT_FILE)).isEqualTo(id);
    Path file = Files.writeString(root.resolve("boot_id"), "no id\n");
    assertThatThrownBy(() -> BootId.read(file)).hasMessageContaining("no id");
    assertThatThrownBy(() -> BootId.read(root.resolve("absent")))
        .hasMessageContaining("is not there");
  }
}
