package io.gatehouse.agent;

import io.gatehouse.agent.device.TestNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that echoes, and what hosts in other namespaces say to it. */
final class Talk implements AutoCloseable {
  static final int TCP = 8_083;
  static final int OTHER_TCP = 9_000;
  static final int UDP = 5_300;

  /** Where nobody listens. */
  static final int NOBODY = 5_301;

  /** How long nothing must come to be called silence; a retransmission of TCP comes within it. */
  private static final int SILENCE_MILLIS = 1_500;

  /** What is expected has all the time that a loaded machine may need. */
  private static final int PATIENCE_MILLIS = 20_000;

  private static final InetAddress SERVER = address("10.0.0.1");

  /** What comes of it. */
  enum Answer {
    YES,
    REFUSED,
    SILENCE
  }

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "echo");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Closeable> sockets = new ArrayList<>();

  Talk(TestNamespace server) throws Exception {
    for (int port : new int[] {TCP, OTHER_TCP}) {
      ServerSocket socket = server.run(() -> new ServerSocket(port));
      sockets.add(socket);
      threads.execute(() -> accept(socket));
    }
    DatagramSocket socket = server.run(() -> new DatagramSocket(UDP));
    sockets.add(socket);
    threads.execute(() -> reflect(socket));
  }

  private void accept(ServerSocket server) {
    try {
      while (true) {
        Socket socket = server.accept();
        threads.execute(() -> echo(socket));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // The other end has gone.
    }
  }

  private static void reflect(DatagramSocket socket) {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    try {
      while (true) {
        socket.receive(packet);
        socket.send(packet);
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  /** Opens a connection that must come about. */
  Connection open(TestNamespace from, int port) throws Exception {
    return from.run(
        () -> {
          Socket socket = new Socket();
          socket.connect(new InetSocketAddress(SERVER, port), PATIENCE_MILLIS);
          return new Connection(socket);
        });
  }

  Answer tcp(TestNamespace from, int port) throws Exception {
    return from.run(
        () -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(SERVER, port), SILENCE_MILLIS);
            return Answer.YES;
          } catch (SocketTimeoutException e) {
            return Answer.SILENCE;
          }
        });
  }

  Answer udp(TestNamespace from, int port) throws Exception {
    return from.run(
        () -> {
          try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(SERVER, port);
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.send(new DatagramPacket(new byte[] {1}, 1));
            socket.receive(new DatagramPacket(new byte[10], 10));
            return Answer.YES;
          } catch (PortUnreachableException e) {
            return Answer.REFUSED;
          } catch (SocketTimeoutException e) {
            return Answer.SILENCE;
          }
        });
  }

  Answer ping(TestNamespace from, String to) {
    try {
      from.sh("ping -c 1 -W 2 " + to);
      return Answer.YES;
    } catch (Exception e) {
      return Answer.SILENCE;
    }
  }

  @Override
  public void close() throws IOException {
    for (Closeable socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** A connection that is up. */
  static final class Connection implements AutoCloseable {
    private final Socket socket;
    private int next;
    private int unanswered;

    Connection(Socket socket) {
      this.socket = socket;
    }

    /** Says a word and waits a little for all that is missing of the answers. */
    Answer echo() throws IOException {
      return echo(SILENCE_MILLIS);
    }

    /** The same with patience: what was lost before comes again, later and later. */
    Answer awaitEcho() throws IOException {
      return echo(PATIENCE_MILLIS);
    }

    /** Sends as much as it can for a time; how many bytes came back in it. */
    long flood(Duration time) throws IOException {
      long end = System.nanoTime() + time.toNanos();
      Thread sender = new Thread(this::send, "flood");
      sender.setDaemon(true);
      sender.start();
      byte[] buffer = new byte[1 << 16];
      long bytes = 0;
      while (System.nanoTime() < end) {
        bytes += Math.max(socket.getInputStream().read(buffer), 0);
      }
      return bytes;
    }

    private void send() {
      byte[] buffer = new byte[1 << 16];
      try {
        while (true) {
          socket.getOutputStream().write(buffer);
        }
      } catch (IOException e) {
        // It was closed: the time is over.
      }
    }

    private Answer echo(int millis) throws IOException {
      socket.setSoTimeout(millis);
      try {
        socket.getOutputStream().write(next++);
        unanswered++;
        while (unanswered > 0) {
          if (socket.getInputStream().read() < 0) {
            return Answer.REFUSED;
          }
          unanswered--;
        }
        return Answer.YES;
      } catch (SocketTimeoutException e) {
        return Answer.SILENCE;
      } catch (SocketException e) {
        return Answer.REFUSED;
      }
    }

    /** Ends it with a reset. */
    void abort() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
