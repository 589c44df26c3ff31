package io.gatehouse.agent.device.lldp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What lldpcli says, and what it might. */
class LldpNeighbourReaderTest {
  private static final LldpNeighbour LEAF =
      new LldpNeighbour("rs_p0", "leaf-a01", "Ethernet1/7", 9_216);

  private static byte[] sample() throws IOException {
    try (InputStream in = LldpNeighbourReaderTest.class.getResourceAsStream("/lldp/switch.json0")) {
      return requireNonNull(in).readAllBytes();
    }
  }

  private static List<LldpNeighbour> read(String json) throws DeviceException {
    return LldpNeighbourReader.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aRealAnswerIsRead() throws Exception {
    assertThat(LldpNeighbourReader.read(sample())).containsExactly(LEAF);
  }

  @Test
  void whoIsAloneHasNoNeighbours() throws Exception {
    // As lldpcli says it; and as other forms of its JSON would.
    assertThat(read("{\"lldp\": [{}]}")).isEmpty();
    assertThat(read("{\"lldp\": {}}")).isEmpty();
    assertThat(read("{\"lldp\": []}")).isEmpty();
  }

  @Test
  void whatANeighbourDoesNotTellIsNotKnown() throws Exception {
    String mac = "\"id\": [{\"type\": \"mac\", \"value\": \"02:00:00:00:00:01\"}]";
    assertThat(
            read(
                "{\"lldp\":[{\"interface\":[{\"name\":\"p0\",\"chassis\":[{"
                    + mac
                    + "}],\"port\":[{"
                    + mac
                    + "}]},{\"name\":\"p1\",\"port\":[{"
                    + mac
                    + ",\"descr\":[{\"value\":\"swp1\"}]}]},{\"chassis\":[]}]}]}"))
        .containsExactly(
            new LldpNeighbour("p0", "02:00:00:00:00:01", "02:00:00:00:00:01", 0),
            new LldpNeighbour("p1", "", "swp1", 0));
  }

  @Test
  void aFrameIsANumberOfBytesOrNotKnown() throws Exception {
    for (String odd :
        List.of("", "-1", "65536", "99999", "1e3", "9216 bytes", "٩٢١٦", "00000009")) {
      assertThat(frame("\"" + odd + "\"")).as(odd).isZero();
    }
    assertThat(frame("\"65535\"")).isEqualTo(65_535);
    assertThat(frame("9000")).isEqualTo(9_000);
    assertThat(frame("[9000]")).isZero();
    assertThat(frame("null")).isZero();
  }

  private static int frame(String value) throws DeviceException {
    return read("{\"lldp\":[{\"interface\":[{\"name\":\"p0\",\"port\":[{\"mfs\":[{\"value\":"
            + value
            + "}]}]}]}]}")
        .get(0)
        .maxFrameBytes();
  }

  @Test
  void aStrangersTextsAreBoundedAndSteerNothing() throws Exception {
    List<LldpNeighbour> neighbours =
        read(
            "{\"lldp\":[{\"interface\":[{\"name\":\"p0\",\"chassis\":[{\"name\":[{\"value\":\""
                + "\\u001b[2J"
                + "x".repeat(5_000)
                + "\"}]}]}]}]}");
    assertThat(neighbours.get(0).switchName()).hasSize(200).startsWith("[2Jx");
  }

  @Test
  void whatIsNoAnswerIsRefused() {
    for (String odd : List.of("", " ", "null", "[]", "{}", "{\"lldp\":1}", "{\"lldp\":[", "x")) {
      assertThatThrownBy(() -> read(odd))
          .as(odd)
          .isInstanceOf(DeviceException.class)
          .extracting(thrown -> ((DeviceException) thrown).kind())
          .isEqualTo(DeviceException.Kind.PROTOCOL);
    }
    String deep = "{\"lldp\":".repeat(100_000);
    assertThatThrownBy(() -> read(deep)).isInstanceOf(DeviceException.class);
  }

  @Test
  void everyTruncationAndAnyDamageIsAnAnswerOrAnError() throws Exception {
    byte[] whole = sample();
    int end = new String(whole, StandardCharsets.UTF_8).strip().length();
    for (int length = 0; length < end; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> LldpNeighbourReader.read(cut)).isInstanceOf(DeviceException.class);
    }
    SplittableRandom random = new SplittableRandom(7);
    int answers = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = whole.clone();
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        LldpNeighbourReader.read(damaged)
            .forEach(
                neighbour -> {
                  assertThat(neighbour.maxFrameBytes()).isBetween(0, 65_535);
                  assertThat(neighbour.switchName().length()).isLessThanOrEqualTo(200);
                  assertThat(neighbour.port()).doesNotContainPattern("\\p{Cntrl}");
                });
        answers++;
      } catch (DeviceException e) {
        assertThat(e.kind()).as("round %s", round).isEqualTo(DeviceException.Kind.PROTOCOL);
      }
    }
    assertThat(answers).as("damage that is JSON still").isPositive();
  }
}
