package io.gatehouse.agent.device.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionResolverTest {
  @TempDir private Path root;
  private Path folder;
  private FunctionResolver resolver;

  @BeforeEach
  void makeTree() throws IOException {
    folder = Files.createDirectories(root.resolve("class/net"));
    resolver = new FunctionResolver(folder, Set.of("t1", "absent"));
    add("p0", "p0", "0000:03:00.0");
    add("en3f0pf0sf1", "pf0sf1", "0000:03:00.0");
    add("pf0vf3", "pf0vf7", "0000:03:00.0");
    add("eth7", "pf0vf3", "0000:03:00.0");
    add("t1", null, null);
    add("t2", null, null);
    Files.writeString(folder.resolve("bonding_masters"), "\n");
  }

  @Test
  void findsAFunctionByItsPhysicalNameNotByTheDevices() throws Exception {
    assertThat(resolver.resolve("pf0vf3")).contains("eth7");
    assertThat(resolver.resolve("pf0vf7")).contains("pf0vf3");
    assertThat(resolver.resolve("eth7")).isEmpty();
    assertThat(resolver.resolve("0000:03:00.0/pf0vf3")).contains("eth7");
    assertThat(resolver.resolve("0000:04:00.0/pf0vf3")).isEmpty();
    assertThat(resolver.resolve("/pf0vf3")).isEmpty();
    assertThat(resolver.resolve("../pf0vf3")).isEmpty();
  }

  @Test
  void takesADevicesOwnNameOnlyWhereItIsAllowed() throws Exception {
    assertThat(resolver.resolve("t1")).contains("t1");
    assertThat(resolver.resolve("t2")).isEmpty();
    assertThat(resolver.resolve("absent")).isEmpty();
  }

  @Test
  void f20FindsARenamedDeviceAnew() throws Exception {
    Files.move(folder.resolve("eth7"), folder.resolve("pf0hpf"));
    assertThat(resolver.resolve("pf0vf3")).contains("pf0hpf");
    Files.move(folder.resolve("pf0vf3"), folder.resolve("eth7"));
    assertThat(resolver.resolve("pf0vf3")).contains("pf0hpf");
    assertThat(resolver.resolve("pf0vf7")).contains("eth7");
  }

  @Test
  void refusesToGuessBetweenTwoDevices() throws Exception {
    add("eth9", "pf0vf3", "0000:04:00.0");
    assertThatThrownBy(() -> resolver.resolve("pf0vf3"))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
        .hasMessage("function pf0vf3 is claimed by several devices: eth7, eth9");
    assertThat(resolver.resolve("0000:04:00.0/pf0vf3")).contains("eth9");
    add("eth8", "t1", null);
    assertThatThrownBy(() -> resolver.resolve("t1")).hasMessageContaining("eth8, t1");
  }

  @Test
  void listsAllFunctions() throws Exception {
    assertThat(resolver.list())
        .extracting(DpuFunction::text)
        .containsExactly(
            "0000:03:00.0/pf0sf1",
            "0000:03:00.0/pf0vf3",
            "0000:03:00.0/p0",
            "0000:03:00.0/pf0vf7",
            "t1");
    assertThat(resolver.list().get(1))
        .isEqualTo(
            new DpuFunction("pf0vf3", Optional.of("0000:03:00.0"), Optional.of("b8cef6"), "eth7"));
  }

  @Test
  void refusesATreeThatCannotBe() throws Exception {
    Files.writeString(folder.resolve("eth7/phys_port_name"), "x".repeat(10_000));
    assertThatThrownBy(resolver::list)
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL));
    FunctionResolver none = new FunctionResolver(root.resolve("absent"), Set.of());
    assertThatThrownBy(none::list)
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
  }

  @Test
  void readsTheTreeOfThisSystem() throws Exception {
    assertThat(new FunctionResolver(FunctionResolver.DEFAULT_FOLDER, Set.of("lo")).resolve("lo"))
        .contains("lo");
  }

  private void add(String device, @Nullable String port, @Nullable String pci) throws IOException {
    Path entry = Files.createDirectories(root.resolve("devices").resolve(device));
    if (port != null) {
      Files.writeString(entry.resolve("phys_port_name"), port + "\n");
      Files.writeString(entry.resolve("phys_switch_id"), "b8cef6\n");
    }
    if (pci != null) {
      Path target = Files.createDirectories(root.resolve("pci").resolve(pci));
      Files.createSymbolicLink(entry.resolve("device"), target);
    }
    Files.createSymbolicLink(folder.resolve(device), entry);
  }
}
