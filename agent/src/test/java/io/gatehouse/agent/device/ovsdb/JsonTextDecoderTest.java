package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonTextDecoderTest {
  private static final OvsdbConfig.Bounds SMALL = new OvsdbConfig.Bounds(4096, 16, 500, 8, 1 << 20);

  @Test
  void cutsACapturedSessionHoweverItIsSegmented() {
    byte[] session = Captured.session();
    List<JsonNode> expected = Captured.sessionMessages();
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int largest = 1 + random.nextInt(200);
      EmbeddedChannel channel = channel(OvsdbConfig.Bounds.DEFAULT);
      for (int at = 0; at < session.length; ) {
        int end = Math.min(session.length, at + 1 + random.nextInt(largest));
        channel.writeInbound(Unpooled.copiedBuffer(session, at, end - at));
        at = end;
      }
      assertThat(messages(channel)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void everyTruncationGivesWhatWasCompleteAndWaitsForTheRest() {
    byte[] session = Captured.session();
    List<JsonNode> expected = Captured.sessionMessages();
    int complete = 0;
    for (int length = 0; length <= session.length; length++) {
      EmbeddedChannel channel = channel(OvsdbConfig.Bounds.DEFAULT);
      channel.writeInbound(Unpooled.copiedBuffer(session, 0, length));
      List<JsonNode> got = messages(channel);
      assertThat(got.size()).as("length %d", length).isBetween(complete, complete + 1);
      assertThat(got).as("length %d", length).isEqualTo(expected.subList(0, got.size()));
      complete = got.size();
    }
    assertThat(complete).isEqualTo(expected.size());
  }

  @Test
  void randomBytesAreAnErrorOrNeedMore() {
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = new byte[1 + random.nextInt(3000)];
      random.nextBytes(bytes);
      bytes[0] = random.nextInt(4) == 0 ? bytes[0] : (byte) '{';
      feed(bytes, seed);
    }
  }

  @Test
  void randomChangesOfARealSessionAreAnErrorOrNeedMoreOrOtherJson() {
    byte[] session = Captured.session();
    byte[] interesting = "{}[]\",:\\ 0\u0000tfnx-".getBytes(StandardCharsets.UTF_8);
    for (int seed = 0; seed < 1_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = session.clone();
      for (int i = 0; i <= random.nextInt(4); i++) {
        bytes[random.nextInt(bytes.length)] = interesting[random.nextInt(interesting.length)];
      }
      feed(bytes, seed);
    }
  }

  @Test
  void whiteSpaceBetweenMessagesIsNotKept() {
    EmbeddedChannel channel = channel(SMALL);
    for (int i = 0; i < 1000; i++) {
      channel.writeInbound(text(" \n\r\t".repeat(1000)));
    }
    channel.writeInbound(text("{} {}\n"));
    assertThat(messages(channel)).hasSize(2);
  }

  @Test
  void quotedBracesAndEscapesAreText() {
    EmbeddedChannel channel = channel(SMALL);
    channel.writeInbound(text("{\"a\":\"}{\\\"}\\\\\"}{\"b\":\"[\"}"));
    assertThat(messages(channel)).extracting(JsonNode::size).containsExactly(1, 1);
  }

  @Test
  void boundsAreNamed() {
    assertFails("[]", "does not start with {");
    assertFails("x", "does not start with {");
    assertFails("{\"a\":\"" + "x".repeat(5000), "longer than 4096 bytes");
    assertFails("{\"a\":" + "[".repeat(20), "nested deeper than 16 levels");
    assertFails("{\"a\":[" + "0,".repeat(600), "more than 500 values");
    assertFails("{\"a\":1,\"a\":2}", "not JSON");
    assertFails("{\"a\":]", "not JSON");
    assertFails("{a}", "not JSON");
    assertFails("{\"a\":\"\u0001\"}", "not JSON");
  }

  @Test
  void afterAnErrorEverythingIsSwallowed() {
    EmbeddedChannel channel = channel(SMALL);
    assertThatThrownBy(() -> channel.writeInbound(text("x"))).isInstanceOf(DecoderException.class);
    for (int i = 0; i < 1000; i++) {
      channel.writeInbound(text("{}".repeat(1000)));
    }
    assertThat(messages(channel)).isEmpty();
    assertThat(channel.finish()).isFalse();
  }

  @Test
  void aMessageWithManyRowsIsRead() {
    StringBuilder rows = new StringBuilder("{\"result\":{\"Interface\":{");
    SplittableRandom random = new SplittableRandom(1);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      Uuid uuid = new Uuid(random.nextLong(), random.nextLong());
      rows.append(i == 0 ? "\"" : ",\"").append(uuid).append("\":{\"initial\":{}}");
    }
    EmbeddedChannel channel = channel(OvsdbConfig.Bounds.DEFAULT);
    channel.writeInbound(text(rows.append("}}}").toString()));
    JsonNode message = messages(channel).get(0);
    assertThat(message.path("result").path("Interface").size()).isEqualTo(count);
  }

  private static void assertFails(String input, String reason) {
    EmbeddedChannel channel = channel(SMALL);
    assertThatThrownBy(() -> channel.writeInbound(text(input)))
        .isInstanceOf(DecoderException.class)
        .cause()
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL))
        .hasMessageContaining(reason);
  }

  /** In random segments; anything but a protocol error fails the test. */
  private static void feed(byte[] bytes, int seed) {
    EmbeddedChannel channel = channel(SMALL);
    SplittableRandom random = new SplittableRandom(seed);
    try {
      for (int at = 0; at < bytes.length; ) {
        int end = Math.min(bytes.length, at + 1 + random.nextInt(1000));
        channel.writeInbound(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, at, end)));
        at = end;
      }
      messages(channel);
    } catch (DecoderException e) {
      assertThat(e.getCause()).as("seed %d", seed).isInstanceOf(DeviceException.class);
    }
    channel.finishAndReleaseAll();
  }

  private static EmbeddedChannel channel(OvsdbConfig.Bounds bounds) {
    return new EmbeddedChannel(new JsonTextDecoder(bounds));
  }

  private static io.netty.buffer.ByteBuf text(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }

  private static List<JsonNode> messages(EmbeddedChannel channel) {
    List<JsonNode> messages = new ArrayList<>();
    for (JsonNode next = channel.readInbound(); next != null; next = channel.readInbound()) {
      messages.add(next);
    }
    return messages;
  }
}
