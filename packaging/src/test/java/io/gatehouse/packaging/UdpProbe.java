package io.gatehouse.packaging;

import io.gatehouse.packaging.packet.Mark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Numbered datagrams from one namespace to another, one every 10 ms, each counted on arrival: what
 * is missing was lost, to the packet. {@code ping -i 0.01} waits for answers and under-counts an
 * outage. One thread sends and one receives; {@link #stop()} ends both.
 */
final class UdpProbe {
  static final Duration INTERVAL = Duration.ofMillis(10);
  private static final int DATAGRAM_BYTES = Mark.BYTES + Integer.BYTES;
  private static final Duration LATE = Duration.ofSeconds(1);

  /**
   * What came of a probe.
   *
   * @param sent datagrams sent
   * @param lost of these, how many did not arrive within a second of the end
   * @param longestOutage the longest run of lost ones in a row, times the interval
   * @param repeated how many arrived more than once
   * @param foreign datagrams that arrived and were not this probe's
   */
  record Outcome(int sent, int lost, Duration longestOutage, int repeated, int foreign) {}

  private final DatagramChannel sender;
  private final DatagramChannel receiver;
  private final InetSocketAddress target;
  private final Mark mark = Mark.of("probe");
  private final Thread sending = new Thread(this::send, "probe-send");
  private final Thread receiving = new Thread(this::receive, "probe-receive");
  private volatile boolean stopped;
  private int sent; // of the sending thread, until it has ended

  // Guarded by "arrived".
  private final BitSet arrived = new BitSet();
  private int repeated;
  private int foreign;

  private UdpProbe(DatagramChannel sender, DatagramChannel receiver, InetSocketAddress target) {
    this.sender = sender;
    this.receiver = receiver;
    this.target = target;
  }

  /** Starts to send; {@code address} is one of the receiving place's own. */
  static UdpProbe start(NetworkNamespace from, NetworkNamespace to, InetAddress address) {
    ProtocolFamily family =
        address instanceof Inet6Address
            ? StandardProtocolFamily.INET6
            : StandardProtocolFamily.INET;
    DatagramChannel receiver = to.openDatagramChannel(family);
    try {
      int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
      UdpProbe probe =
          new UdpProbe(
              from.openDatagramChannel(family), receiver, new InetSocketAddress(address, port));
      probe.receiving.start();
      probe.sending.start();
      return probe;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What each of its datagrams carries. */
  Mark mark() {
    return mark;
  }

  /** Waits until one more datagram than now has arrived; fails after the limit. */
  void awaitArrival(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (arrived) {
      int before = arrived.cardinality();
      while (arrived.cardinality() == before) {
        waitUntil(deadline, "nothing arrived from " + target + " in " + limit);
      }
    }
  }

  /** Ends the probe and counts; those still on their way have a second to arrive. */
  Outcome stop() throws InterruptedException, IOException {
    stopped = true;
    sending.join();
    long deadline = System.nanoTime() + LATE.toNanos();
    synchronized (arrived) {
      while (arrived.cardinality() < sent && System.nanoTime() < deadline) {
        arrived.wait(1 + (deadline - System.nanoTime()) / 1_000_000);
      }
    }
    receiver.close();
    sender.close();
    receiving.join();
    return outcome();
  }

  private Outcome outcome() {
    synchronized (arrived) {
      int longest = 0;
      for (int start = arrived.nextClearBit(0); start < sent; ) {
        int end = arrived.nextSetBit(start);
        end = end < 0 ? sent : end;
        longest = Math.max(longest, end - start);
        start = arrived.nextClearBit(end);
      }
      return new Outcome(
          sent, sent - arrived.cardinality(), INTERVAL.multipliedBy(longest), repeated, foreign);
    }
  }

  // By the clock and not by sleeping between two: after a pause it catches up, so that the number
  // sent tells the time.
  private void send() {
    long begin = System.nanoTime();
    ByteBuffer datagram = ByteBuffer.allocate(DATAGRAM_BYTES);
    while (!stopped) {
      datagram.clear();
      datagram.put(mark.bytes()).putInt(sent).flip();
      try {
        sender.send(datagram, target);
      } catch (IOException e) {
        // No route, or the link is down: as lost as one that a switch drops.
        Thread.onSpinWait();
      }
      sent++;
      long next = begin + sent * INTERVAL.toNanos();
      while (!stopped && System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  private void receive() {
    ByteBuffer datagram = ByteBuffer.allocate(2048);
    while (true) {
      datagram.clear();
      try {
        receiver.receive(datagram);
      } catch (AsynchronousCloseException e) {
        return; // stop() has closed it
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      count(datagram.flip());
    }
  }

  private void count(ByteBuffer datagram) {
    synchronized (arrived) {
      byte[] content = new byte[datagram.remaining()];
      datagram.get(0, content);
      if (content.length != DATAGRAM_BYTES || !mark.isIn(content)) {
        foreign++;
        return;
      }
      datagram.position(Mark.BYTES);
      int number = datagram.getInt();
      if (arrived.get(number)) {
        repeated++;
      }
      arrived.set(number);
      arrived.notifyAll();
    }
  }

  private void waitUntil(long deadline, String failure) throws InterruptedException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new AssertionError(failure);
    }
    arrived.wait(1 + left / 1_000_000);
  }
}
