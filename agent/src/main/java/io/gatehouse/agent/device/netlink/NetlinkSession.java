package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.netlink.NetlinkCodec.Answer;
import io.gatehouse.model.net.InvalidValueException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the kernel and its answers, in the network namespace of the thread that opened it.
 * Safe for several threads; one request at a time.
 *
 * <p>Each call ends within the timeout it was opened with. UNREACHABLE: no answer, or an answer was
 * lost, so whether a change took effect is unknown. REJECTED: the kernel said no; the message names
 * the error ({@code ENODEV}, {@code EPERM}), the request, and the kernel's own explanation.
 * PROTOCOL: the kernel's bytes make no sense.
 */
public final class NetlinkSession implements AutoCloseable {
  /** No error number of a request stands for success. */
  public static final int NONE_HARMLESS = 0;

  private static final int MAX_OBJECTS = 1 << 18;
  private static final int MAX_STALE_DATAGRAMS = 1 << 14;

  private final NetlinkSocket socket;
  private final Duration timeout;
  private int sequence;

  private NetlinkSession(NetlinkSocket socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  /** Reads one message of a dump into the objects that it holds. */
  public interface Reader<T> {
    List<T> read(NetlinkMessage message) throws DeviceException;
  }

  /** Opens a session in the network namespace of the calling thread. */
  public static NetlinkSession open(NetlinkProtocol protocol, Duration timeout)
      throws DeviceException {
    return new NetlinkSession(NetlinkSocket.open(protocol, 0), timeout);
  }

  /**
   * Makes a change.
   *
   * @param harmlessErrno an error number that means that there was nothing to do
   */
  public synchronized void change(NetlinkRequest request, int harmlessErrno)
      throws DeviceException {
    long deadline = deadline();
    int own = send(request);
    while (true) {
      ByteBuffer datagram = receive(request, deadline);
      if (datagram == null) {
        throw lost(request);
      }
      for (NetlinkMessage message : NetlinkCodec.messages(datagram)) {
        if (message.sequence() == own && message.type() == NetlinkMessage.ERROR) {
          check(request, NetlinkCodec.answer(message), harmlessErrno);
          return;
        }
      }
    }
  }

  /**
   * Makes several changes in one transaction of a protocol that knows them: all or none.
   *
   * @param requests the protocol's begin first and its end last. The one change that asks for an
   *     answer is the last one: the kernel answers what it refuses in any case and first, and an
   *     answer to each of many changes would not fit into the socket's buffer
   */
  public synchronized void transact(List<NetlinkRequest> requests) throws DeviceException {
    long deadline = deadline();
    drain();
    int first = sequence + 1;
    sequence += requests.size();
    socket.send(NetlinkCodec.encode(requests, first));
    NetlinkRequest whole = requests.get(0);
    while (true) {
      ByteBuffer datagram = receive(whole, deadline);
      if (datagram == null) {
        throw lost(whole);
      }
      for (NetlinkMessage message : NetlinkCodec.messages(datagram)) {
        int index = message.sequence() - first;
        if (message.type() == NetlinkMessage.ERROR && index >= 0 && index < requests.size()) {
          check(requests.get(index), NetlinkCodec.answer(message), NONE_HARMLESS);
          return;
        }
      }
    }
  }

  /**
   * Dumps until one is consistent and complete.
   *
   * @param emptyErrno an error number that means that there is nothing to dump
   */
  public synchronized <T> List<T> dump(NetlinkRequest request, Reader<T> reader, int emptyErrno)
      throws DeviceException {
    long deadline = deadline();
    while (true) {
      int own = send(request);
      Dump<T> dump = new Dump<>(request, reader, emptyErrno);
      while (!dump.complete) {
        ByteBuffer datagram = receive(request, deadline);
        if (datagram == null) {
          dump.interrupted = true; // the rest still comes, up to its end
          continue;
        }
        for (NetlinkMessage message : NetlinkCodec.messages(datagram)) {
          if (message.sequence() == own) { // others answer a request that was given up
            dump.take(message);
          }
        }
      }
      if (!dump.interrupted) {
        return dump.found;
      }
    }
  }

  /** Ends the session; calls after it are UNREACHABLE. Waits for a call that is under way. */
  @Override
  public synchronized void close() {
    socket.close();
  }

  /** One attempt to read everything. */
  private static final class Dump<T> {
    private final NetlinkRequest request;
    private final Reader<T> reader;
    private final int emptyErrno;
    private final List<T> found = new ArrayList<>();
    private boolean interrupted;
    private boolean complete;

    Dump(NetlinkRequest request, Reader<T> reader, int emptyErrno) {
      this.request = request;
      this.reader = reader;
      this.emptyErrno = emptyErrno;
    }

    void take(NetlinkMessage message) throws DeviceException {
      interrupted |= message.isInterrupted();
      switch (message.type()) {
        case NetlinkMessage.NOOP -> {}
        case NetlinkMessage.OVERRUN -> interrupted = true;
        case NetlinkMessage.ERROR, NetlinkMessage.DONE -> {
          check(request, NetlinkCodec.answer(message), emptyErrno);
          complete = true;
        }
        default -> found.addAll(read(reader, message));
      }
      if (found.size() > MAX_OBJECTS) {
        throw new DeviceException(
            Kind.PROTOCOL, request.what() + ": more than " + MAX_OBJECTS + " objects");
      }
    }
  }

  /** Runs a reader; a value that cannot exist becomes an error of the protocol. */
  static <T> List<T> read(Reader<T> reader, NetlinkMessage message) throws DeviceException {
    try {
      return reader.read(message);
    } catch (InvalidValueException e) {
      throw new DeviceException(Kind.PROTOCOL, "netlink: " + e.getMessage(), e);
    }
  }

  private static void check(NetlinkRequest request, Answer answer, int harmlessErrno)
      throws DeviceException {
    if (answer.errno() == 0 || answer.errno() == harmlessErrno) {
      return;
    }
    String text = answer.text() == null ? "" : " (" + answer.text() + ")";
    throw new DeviceException(
        Kind.REJECTED, request.what() + ": " + Errno.name(answer.errno()) + text);
  }

  private static DeviceException lost(NetlinkRequest request) {
    return new DeviceException(Kind.UNREACHABLE, request.what() + ": the answer was lost");
  }

  private int send(NetlinkRequest request) throws DeviceException {
    drain();
    sequence++;
    socket.send(NetlinkCodec.encode(List.of(request), sequence));
    return sequence;
  }

  /** What is left of a request that was given up; a dump that is under way would refuse another. */
  private void drain() throws DeviceException {
    socket.drain(MAX_STALE_DATAGRAMS);
  }

  private @Nullable ByteBuffer receive(NetlinkRequest request, long deadline)
      throws DeviceException {
    try {
      return socket.receive(deadline);
    } catch (DeviceException e) {
      throw new DeviceException(e.kind(), request.what() + ": " + e.getMessage(), e);
    }
  }

  private long deadline() {
    return System.nanoTime() + timeout.toNanos();
  }
}
