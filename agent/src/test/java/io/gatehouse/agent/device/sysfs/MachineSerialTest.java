package io.gatehouse.agent.device.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineSerialTest {
  @TempDir private Path folder;

  private String read(String text) throws IOException {
    return MachineSerial.read(Files.writeString(folder.resolve("product_serial"), text));
  }

  @Test
  void theLineIsTheNumber() throws IOException {
    assertThat(read("MT2251X00123\n")).isEqualTo("MT2251X00123");
    assertThat(read("x".repeat(100) + "\n")).hasSize(64);
  }

  @Test
  void whatCannotBeReadIsNoNumber() throws IOException {
    assertThat(MachineSerial.read(folder.resolve("absent"))).isEmpty();
    assertThat(MachineSerial.read(folder)).isEmpty();
    assertThat(read("\n")).isEmpty();
    assertThat(read("x".repeat(300))).isEmpty();
  }
}
