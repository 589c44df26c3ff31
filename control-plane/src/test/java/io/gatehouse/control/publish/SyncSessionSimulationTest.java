package io.gatehouse.control.publish;

import static io.gatehouse.control.publish.SessionLab.D1;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * One seed drives changes, a transport that delivers late or breaks, and an agent that comes back.
 * After every event nothing may be gone that a policy since the last complete one still had; in the
 * end the agent holds exactly its policy.
 */
final class SyncSessionSimulationTest {
  private static final int SEEDS = 200;
  private static final int EVENTS = 80;

  @Test
  void whateverBreaksTheAgentEndsUpWithItsPolicy() {
    for (long seed = 0; seed < SEEDS; seed++) {
      new Run(seed).play();
    }
  }

  @Test
  void thePathDoesNotMatter() {
    List<String[]> states =
        List.of(
            new String[] {"d1"},
            new String[] {"acme/blue/web@d1"},
            new String[] {"acme/blue/web@d1", "acme/blue/db@d2", "beta/x/y@d1"},
            new String[] {"!acme", "acme/blue/web@d1", "acme/blue/db@d2"},
            new String[] {"acme/blue/web@d1-", "acme/blue/db@d2-", "acme/red/a@d1"},
            new String[] {"acme/blue/web@d2", "acme/blue/db@d1"});
    List<String[]> reversed = new ArrayList<>(states);
    Collections.reverse(reversed);
    assertEndsRight(states, 1);
    assertEndsRight(reversed, 1);
    for (int seed = 0; seed < 50; seed++) {
      List<String[]> shuffled = new ArrayList<>(states);
      shuffled.addAll(states);
      Collections.shuffle(shuffled, new Random(seed));
      assertEndsRight(shuffled, 1);
      assertEndsRight(shuffled, 1 + seed % 5);
      assertEndsRight(shuffled, shuffled.size());
    }
  }

  /** Plays the states; the transport delivers only after every so many of them. */
  private static void assertEndsRight(List<String[]> states, int squash) {
    SessionLab lab = new SessionLab();
    FakeStream stream = new FakeStream();
    FakeAgent agent = new FakeAgent(FakeAgent.Mode.STAGED);
    lab.become("d1");
    SyncSession session = lab.open(D1, stream);
    session.received(agent.hello());
    for (int i = 0; i < states.size(); i++) {
      stream.capacity(0);
      lab.become(states.get(i));
      if (i % squash == 0 || i == states.size() - 1) {
        stream.capacity(100);
        session.ready();
        stream.takeAll().forEach(m -> agent.received(m).ifPresent(session::received));
      }
    }
    assertThat(agent.hash()).isEqualTo(lab.projection(D1).inventoryHash());
    assertThat(stream.ended()).isFalse();
  }

  private static final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final SessionLab lab = new SessionLab();
    private final FakeAgent agent;
    private FakeStream stream = new FakeStream();
    private SyncSession session;

    Run(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.agent =
          new FakeAgent(random.nextBoolean() ? FakeAgent.Mode.EAGER : FakeAgent.Mode.STAGED);
      lab.become("d1");
      this.session = connect();
    }

    void play() {
      for (int i = 0; i < EVENTS; i++) {
        event();
      }
      stream.capacity(1_000);
      if (stream.ended()) {
        session = connect();
      }
      session.ready();
      for (int i = 0; i < 100; i++) {
        deliver(1_000);
      }
      assertThat(stream.endCode()).as("seed %s", seed).isNull();
      assertThat(agent.hash()).as("seed %s", seed).isEqualTo(lab.projection(D1).inventoryHash());
      assertThat(lab.admission.takenCount()).as("seed %s", seed).isZero();
    }

    private void event() {
      switch (random.nextInt(6)) {
        case 0, 1 -> lab.become(words());
        case 2, 3 -> deliver(1 + random.nextInt(4));
        case 4 -> {
          stream.capacity(random.nextInt(4));
          session.ready();
        }
        default -> {
          if (random.nextInt(3) == 0) {
            session.closed();
            session = connect();
          }
        }
      }
    }

    private SyncSession connect() {
      stream = new FakeStream();
      stream.capacity(random.nextInt(3));
      SyncSession next = lab.open(D1, stream);
      next.received(agent.hello());
      return next;
    }

    private void deliver(int messages) {
      for (int i = 0; i < messages; i++) {
        SyncResponse message = stream.poll();
        if (message == null) {
          return;
        }
        TreeSet<String> before = new TreeSet<>(agent.held().keySet());
        List<SyncRequest> answers = agent.received(message).stream().toList();
        if (!message.getDelta().getComplete()) {
          assertThat(agent.held().keySet()).as("seed %s", seed).containsAll(before);
        }
        answers.forEach(session::received);
        session.ready();
      }
    }

    private String[] words() {
      TreeSet<String> ports = new TreeSet<>();
      List<String> words = new ArrayList<>(List.of("d1", "d2"));
      for (int i = random.nextInt(random.nextInt(40) == 0 ? 1_200 : 8); i > 0; i--) {
        String name = "t" + random.nextInt(2) + "/n" + random.nextInt(2) + "/p" + i;
        if (ports.add(name)) {
          words.add(name + "@d" + (1 + random.nextInt(2)));
        }
      }
      return words.toArray(String[]::new);
    }
  }
}
