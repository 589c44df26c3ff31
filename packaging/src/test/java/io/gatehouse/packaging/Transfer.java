package io.gatehouse.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes by TCP from one namespace to another: as many as go, until a number is said. */
final class Transfer implements AutoCloseable {
  private static final int PORT = 5_002;
  private static final int CHUNK_BYTES = 16_384;
  private static final int PATIENCE_MILLIS = 120_000;

  private final ServerSocket listening;
  private final Socket socket;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();

  /** Where it ends; not before somebody says so. */
  private final AtomicLong end = new AtomicLong(Long.MAX_VALUE);

  private final CompletableFuture<Void> sender;
  private final CompletableFuture<Received> receiver;

  /**
   * What has arrived.
   *
   * @param endNanos when the last byte had
   * @param longestSilenceNanos between two bytes
   */
  record Received(long endNanos, long longestSilenceNanos) {}

  private Transfer(ServerSocket listening, Socket socket) {
    this.listening = listening;
    this.socket = socket;
    this.receiver = CompletableFuture.supplyAsync(this::receive);
    this.sender = CompletableFuture.runAsync(this::send);
  }

  static Transfer between(NetworkNamespace from, NetworkNamespace to, InetAddress address) {
    ServerSocket listening = to.inside(() -> new ServerSocket(PORT, 1, address));
    return new Transfer(listening, from.inside(() -> connect(address)));
  }

  private static Socket connect(InetAddress to) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(to, PORT), PATIENCE_MILLIS);
    return socket;
  }

  /** Returns once so many bytes have arrived. */
  void await(long bytes) {
    Eventually.holds(bytes + " bytes have arrived", () -> received.get() >= bytes);
  }

  /** So many more from now on, and then the end. */
  void sendOnly(long bytes) {
    end.set(sent.get() + bytes);
  }

  /** Waits for the end. */
  Received finished() throws Exception {
    sender.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    return receiver.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void send() {
    try (OutputStream out = socket.getOutputStream()) {
      while (sent.get() < end.get()) {
        out.write(new byte[CHUNK_BYTES]);
        sent.addAndGet(CHUNK_BYTES);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Received receive() {
    try (Socket accepted = listening.accept()) {
      accepted.setSoTimeout(PATIENCE_MILLIS);
      InputStream in = accepted.getInputStream();
      byte[] chunk = new byte[CHUNK_BYTES];
      long longest = 0;
      long last = System.nanoTime();
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        long now = System.nanoTime();
        received.addAndGet(read);
        longest = Math.max(longest, now - last);
        last = now;
      }
      return new Received(last, longest);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    listening.close();
  }
}
