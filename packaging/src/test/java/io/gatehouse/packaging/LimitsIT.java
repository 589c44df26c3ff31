package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.model.security.RateLimits.Rate;
import io.gatehouse.packaging.PlannedLab.Terms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Limits against what really arrives, counted by the receiver's link. A machine that does ten other
 * things may send too little for a while, so one window of several has to reach the limit; none may
 * be above it.
 */
final class LimitsIT {
  private static final int WINDOWS = 8;
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final int MEGABITS = 10;
  private static final int PACKETS = 200;
  private static final int BYTES = 1_200;

  private static PlannedLab lab;

  @BeforeAll
  static void start() {
    lab = PlannedLab.start();
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** What a link has received. */
  private record Reading(double seconds, long bytes, long packets) {
    static Reading of(String host) {
      String[] words =
          lab.lab()
              .exec(host, "sh", "-c", "cat /proc/uptime; grep eth0: /proc/net/dev")
              .strip()
              .split("[\\s:]+", -1);
      return new Reading(
          Double.parseDouble(words[0]), Long.parseLong(words[3]), Long.parseLong(words[4]));
    }

    double megabitsSince(Reading before) {
      return (bytes - before.bytes) * 8 / 1e6 / (seconds - before.seconds);
    }

    double packetsSince(Reading before) {
      return (packets - before.packets) / (seconds - before.seconds);
    }
  }

  private interface Measure {
    double of(Reading now, Reading before);
  }

  /**
   * Lets something send, and measures windows until one is as it should be.
   *
   * @param share of the limit that one window has to reach
   * @param burst what may come in a window besides, after a pause
   */
  private static void measure(
      Sender sender, Measure measure, double limit, double share, double burst) throws Exception {
    List<Double> windows = new ArrayList<>();
    Thread thread = new Thread(sender, "sender");
    thread.start();
    try {
      LockSupport.parkNanos(WINDOW.toNanos());
      while (windows.stream().noneMatch(rate -> isRight(rate, limit, share))
          && windows.size() < WINDOWS) {
        Reading before = Reading.of("two");
        LockSupport.parkNanos(WINDOW.toNanos());
        windows.add(measure.of(Reading.of("two"), before));
      }
    } finally {
      sender.stopped = true;
      thread.join();
    }
    double most = 1.1 * limit + burst / WINDOW.toSeconds();
    assertThat(windows).allMatch(rate -> rate <= most);
    assertThat(windows).anyMatch(rate -> isRight(rate, limit, share));
  }

  private static boolean isRight(double rate, double limit, double share) {
    return rate >= share * limit && rate <= 1.1 * limit;
  }

  /** Sends until it is told to stop. */
  private abstract static class Sender implements Runnable {
    private volatile boolean stopped;

    abstract void send() throws IOException;

    @Override
    public void run() {
      try {
        while (!stopped) {
          send();
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Datagrams at a pace; after a pause it catches up. */
  private static final class UdpSender extends Sender {
    private final DatagramChannel channel =
        lab.lab().namespace("one").openDatagramChannel(StandardProtocolFamily.INET);
    private final ByteBuffer datagram;
    private final long intervalNanos;
    private long next = System.nanoTime();

    UdpSender(int bytes, int perSecond) {
      datagram = ByteBuffer.allocate(bytes);
      intervalNanos = 1_000_000_000 / perSecond;
    }

    @Override
    void send() throws IOException {
      channel.send(datagram.clear(), new InetSocketAddress("10.0.0.2", 9));
      next += intervalNanos;
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  @Test
  void udpIsHeldToItsMegabitsAndTheNeighbourIsNot() throws Exception {
    Rate limit = new Rate(MEGABITS, 1_000 * MEGABITS, 0, 0);
    lab.apply(Map.of("one", Terms.of(limit, Rate.NONE)));
    UdpProbe probe = lab.lab().probe("two", "three", InetAddress.getByName("10.0.0.3"));
    int perSecond = 3 * MEGABITS * 1_000_000 / 8 / BYTES;
    measure(new UdpSender(BYTES, perSecond), Reading::megabitsSince, MEGABITS, 0.9, MEGABITS);
    UdpProbe.Outcome outcome = probe.stop();
    assertThat(outcome.lost()).isLessThan(outcome.sent() / 10);
    assertThat(lab.dropped(1)).isPositive();
  }

  @Test
  void udpIsHeldToItsPacketsAtTheReceiver() throws Exception {
    lab.apply(Map.of("two", Terms.of(Rate.NONE, new Rate(0, 0, PACKETS, PACKETS))));
    measure(new UdpSender(64, 4 * PACKETS), Reading::packetsSince, PACKETS, 0.9, PACKETS);
    assertThat(lab.dropped(1)).isPositive();
  }

  @Test
  void bothLimitsHoldAtOnce() throws Exception {
    Rate both = new Rate(MEGABITS, 0, PACKETS, PACKETS);
    lab.apply(Map.of("one", Terms.of(both, Rate.NONE), "two", Terms.of(Rate.NONE, both)));
    measure(new UdpSender(64, 4 * PACKETS), Reading::packetsSince, PACKETS, 0.9, PACKETS);
    assertThat(lab.dropped(1)).isPositive();
  }

  @Test
  void tcpGetsMostOfItsLimit() throws Exception {
    lab.apply(Map.of("one", Terms.of(new Rate(2 * MEGABITS, 0, 0, 0), Rate.NONE)));
    try (ServerSocketChannel server =
            lab.lab()
                .namespace("two")
                .inside(() -> ServerSocketChannel.open().bind(new InetSocketAddress(0)));
        SocketChannel client = lab.lab().namespace("one").inside(SocketChannel::open)) {
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      client.connect(new InetSocketAddress("10.0.0.2", port));
      Thread reader = new Thread(() -> drain(server), "reader");
      reader.start();
      ByteBuffer data = ByteBuffer.allocate(65_536);
      Sender sender =
          new Sender() {
            @Override
            void send() throws IOException {
              client.write(data.clear());
            }
          };
      measure(sender, Reading::megabitsSince, 2 * MEGABITS, 0.7, MEGABITS);
      client.shutdownOutput();
      reader.join();
    }
  }

  private static void drain(ServerSocketChannel server) {
    try (SocketChannel peer = server.accept()) {
      ByteBuffer data = ByteBuffer.allocate(65_536);
      while (peer.read(data.clear()) >= 0) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      // The sender is gone, and so is the test.
      return;
    }
  }
}
