package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.model.net.InvalidValueException;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A whole session, from the first byte to the replica, with a server that says anything. */
class SessionFuzzTest {
  private static final byte[] BYTES =
      "{}[]\",:\\ 019\u0000tfneuids-".getBytes(StandardCharsets.UTF_8);
  private static final OvsdbConfig CONFIG =
      OvsdbConfig.of(OvsdbAddress.parse("tcp:127.0.0.1:1"), Captured.MONITORED);

  /** Everything that happened to a session. */
  private static final class Outcome implements MonitorSession.Owner {
    private final List<OvsdbSnapshot> snapshots = new ArrayList<>();
    private final List<DeviceException> ends = new ArrayList<>();

    @Override
    public void synced(MonitorSession session, OvsdbSnapshot snapshot) {
      assertThat(snapshots).isEmpty();
      changed(session, snapshot);
    }

    @Override
    public void changed(MonitorSession session, OvsdbSnapshot snapshot) {
      assertThat(ends).isEmpty();
      snapshots.add(snapshot);
    }

    @Override
    public void ended(MonitorSession session, DeviceException cause) {
      ends.add(cause);
    }
  }

  @Test
  void realSessionIsFollowedToItsEnd() {
    Outcome outcome = play(session(), 0);
    assertThat(outcome.ends).isEmpty();
    assertThat(outcome.snapshots).hasSize(Captured.updates().size());
  }

  @Test
  void changedBytesAreFollowedOrEndTheSessionOnceAndSayWhy() {
    byte[] session = session();
    int ended = 0;
    for (int seed = 1; seed <= 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = session.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        bytes[random.nextInt(bytes.length)] = BYTES[random.nextInt(BYTES.length)];
      }
      Outcome outcome = play(bytes, seed);
      assertThat(outcome.ends).as("seed %d", seed).hasSizeLessThanOrEqualTo(1);
      for (DeviceException end : outcome.ends) {
        assertThat(end.getCause())
            .as("seed %d: %s", seed, end)
            .matches(cause -> !(cause instanceof RuntimeException) || isRefusal(cause));
        ended++;
      }
    }
    assertThat(ended).isPositive();
  }

  /** The captured answers, numbered as this client asks. */
  private static byte[] session() {
    List<JsonNode> updates = Captured.updates();
    StringBuilder text = new StringBuilder("{'id':1,'result':{},'error':null}".replace('\'', '"'));
    text.append("{\"id\":2,\"error\":null,\"result\":").append(Captured.schemaResult()).append('}');
    text.append("{\"id\":3,\"error\":null,\"result\":[false,\"0\",")
        .append(updates.get(0))
        .append("]}");
    for (JsonNode update : updates.subList(1, updates.size())) {
      text.append("{\"id\":null,\"method\":\"update3\",\"params\":[\"gatehouse\",\"0\",")
          .append(update)
          .append("]}");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isRefusal(Throwable cause) {
    return cause instanceof InvalidValueException;
  }

  private static Outcome play(byte[] bytes, int seed) {
    Outcome outcome = new Outcome();
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new JsonTextDecoder(CONFIG.bounds()),
            new JsonRpcSession(CONFIG, new MonitorSession(CONFIG, outcome)));
    SplittableRandom random = new SplittableRandom(seed);
    for (int at = 0; at < bytes.length && channel.isOpen(); ) {
      int end = Math.min(bytes.length, at + 1 + random.nextInt(2000));
      channel.writeInbound(Unpooled.copiedBuffer(bytes, at, end - at));
      at = end;
    }
    Outcome copy = new Outcome();
    copy.snapshots.addAll(outcome.snapshots);
    copy.ends.addAll(outcome.ends);
    channel.finishAndReleaseAll();
    assertThat(outcome.ends).as("seed %d: ends once, with its channel", seed).hasSize(1);
    return copy;
  }
}
