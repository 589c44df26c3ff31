package io.gatehouse.agent.device.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrackerSizeTest {
  @TempDir private Path folder;

  private OptionalLong connections(String text) throws IOException, DeviceException {
    Path file = folder.resolve("nf_conntrack_max");
    Files.writeString(file, text);
    return new TrackerSize(file).connections();
  }

  @Test
  void theNumberIsRead() throws Exception {
    assertThat(connections("262144\n")).hasValue(262_144);
    assertThat(connections("4294967295\n")).hasValue(4_294_967_295L);
  }

  @Test
  void whatIsNoNumberOrNotThereIsNotKnown() throws Exception {
    assertThat(connections("many\n")).isEmpty();
    assertThat(connections("-1\n")).isEmpty();
    assertThat(connections("")).isEmpty();
    assertThat(new TrackerSize(folder.resolve("absent")).connections()).isEmpty();
  }

  @Test
  void whatCannotBeReadIsNoAnswer() {
    assertThatThrownBy(() -> new TrackerSize(folder).connections())
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("cannot read");
  }
}
