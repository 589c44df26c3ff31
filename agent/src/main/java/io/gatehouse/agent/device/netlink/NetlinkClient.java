package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.agent.device.netlink.NetlinkCodec.Answer;
import io.gatehouse.model.net.IpAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes links, addresses and routes of one network namespace: that of the thread that
 * opened it. Safe for several threads; one request at a time.
 *
 * <p>Each call ends within the timeout it was opened with. UNREACHABLE: no answer, or an answer was
 * lost, so whether a change took effect is unknown. REJECTED: the kernel said no; the message names
 * the error ({@code ENODEV}, {@code EPERM}), the request, and the kernel's own explanation.
 * PROTOCOL: the kernel's bytes make no sense.
 */
public final class NetlinkClient implements AutoCloseable {
  private static final int MAX_OBJECTS = 1 << 18;
  private static final int MAX_STALE_DATAGRAMS = 1 << 14;

  private final NetlinkSocket socket;
  private final Duration timeout;
  private int sequence;

  private NetlinkClient(NetlinkSocket socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  /** Opens a client in the network namespace of the calling thread. */
  public static NetlinkClient open(Duration timeout) throws DeviceException {
    return new NetlinkClient(NetlinkSocket.open(0), timeout);
  }

  /** All network devices. */
  public synchronized List<Link> links() throws DeviceException {
    return dump(RtnetlinkRequests.dumpLinks(), RtnetlinkReader::links);
  }

  /** IPv4 and IPv6 addresses of all devices. */
  public synchronized List<LinkAddress> addresses() throws DeviceException {
    return dump(RtnetlinkRequests.dumpAddresses(), RtnetlinkReader::addresses);
  }

  /**
   * The unicast routes of the main table, IPv4 and IPv6; of several to one destination the first
   * has the lowest metric, the one that the kernel uses.
   */
  public synchronized List<Route> routes() throws DeviceException {
    List<Route> routes = new ArrayList<>();
    for (IpAddress.Family family : IpAddress.Family.values()) {
      for (Route route : dump(RtnetlinkRequests.dumpRoutes(family), RtnetlinkReader::routes)) {
        // A kernel without IPv6 answers a question about it with the IPv4 routes.
        if (route.destination().address().family() == family) {
          routes.add(route);
        }
      }
    }
    return routes;
  }

  /** Switches a device on or off. Idempotent. */
  public synchronized void setAdmin(int linkIndex, AdminState state) throws DeviceException {
    change(RtnetlinkRequests.setAdmin(linkIndex, state), 0);
  }

  /** Sets the largest layer-3 packet of a device, in bytes. Idempotent. */
  public synchronized void setMtu(int linkIndex, int mtuBytes) throws DeviceException {
    change(RtnetlinkRequests.setMtu(linkIndex, mtuBytes), 0);
  }

  /**
   * Adds an address, an IPv6 one without duplicate address detection. Idempotent. An IPv6 address
   * that is there with another prefix length keeps that length: delete it first.
   */
  public synchronized void replaceAddress(LinkAddress address) throws DeviceException {
    change(RtnetlinkRequests.replaceAddress(address), 0);
  }

  /** Takes an address away; that it was not there is no error. */
  public synchronized void deleteAddress(LinkAddress address) throws DeviceException {
    change(RtnetlinkRequests.deleteAddress(address), Errno.EADDRNOTAVAIL);
  }

  /** Makes this the route to its destination, at the default metric. Idempotent. */
  public synchronized void replaceRoute(Route route) throws DeviceException {
    change(RtnetlinkRequests.replaceRoute(route), 0);
  }

  /** Ends the client; calls after it are UNREACHABLE. Waits for a call that is under way. */
  @Override
  public synchronized void close() {
    socket.close();
  }

  private void change(NetlinkRequest request, int harmlessErrno) throws DeviceException {
    long deadline = deadline();
    int own = send(request);
    while (true) {
      ByteBuffer datagram = receive(request, deadline);
      if (datagram == null) {
        throw new DeviceException(Kind.UNREACHABLE, request.what() + ": the answer was lost");
      }
      for (NetlinkMessage message : NetlinkCodec.messages(datagram)) {
        if (message.sequence() == own && message.type() == NetlinkMessage.ERROR) {
          Answer answer = NetlinkCodec.answer(message);
          if (answer.errno() != harmlessErrno) {
            check(request, answer);
          }
          return;
        }
      }
    }
  }

  /** Dumps until one is consistent and complete. */
  private <T> List<T> dump(NetlinkRequest request, RtnetlinkReader.Reader<T> reader)
      throws DeviceException {
    long deadline = deadline();
    while (true) {
      List<T> found = dumpOnce(request, reader, deadline);
      if (found != null) {
        return found;
      }
    }
  }

  /** Null if something changed meanwhile or was lost: the dump has to be made again. */
  private <T> @Nullable List<T> dumpOnce(
      NetlinkRequest request, RtnetlinkReader.Reader<T> reader, long deadline)
      throws DeviceException {
    int own = send(request);
    List<T> found = new ArrayList<>();
    boolean interrupted = false;
    while (true) {
      ByteBuffer datagram = receive(request, deadline);
      if (datagram == null) {
        interrupted = true; // the rest of the dump still comes, up to its end
        continue;
      }
      for (NetlinkMessage message : NetlinkCodec.messages(datagram)) {
        if (message.sequence() != own) {
          continue; // the late answer to a request that was given up
        }
        interrupted |= message.isInterrupted();
        switch (message.type()) {
          case NetlinkMessage.NOOP -> {}
          case NetlinkMessage.OVERRUN -> interrupted = true;
          case NetlinkMessage.ERROR, NetlinkMessage.DONE -> {
            checkDump(request, NetlinkCodec.answer(message));
            return interrupted ? null : found;
          }
          default -> found.addAll(RtnetlinkReader.read(reader, message));
        }
        if (found.size() > MAX_OBJECTS) {
          throw new DeviceException(
              Kind.PROTOCOL, request.what() + ": more than " + MAX_OBJECTS + " objects");
        }
      }
    }
  }

  private static void checkDump(NetlinkRequest request, Answer answer) throws DeviceException {
    // A routing table that never had a route does not exist yet.
    if (request.type() == Rtnetlink.GET_ROUTE && answer.errno() == Errno.ENOENT) {
      return;
    }
    check(request, answer);
  }

  private static void check(NetlinkRequest request, Answer answer) throws DeviceException {
    if (answer.errno() == 0) {
      return;
    }
    String text = answer.text() == null ? "" : " (" + answer.text() + ")";
    throw new DeviceException(
        Kind.REJECTED, request.what() + ": " + Errno.name(answer.errno()) + text);
  }

  private int send(NetlinkRequest request) throws DeviceException {
    // What is left of a request that was given up; a dump that is under way would refuse another.
    socket.drain(MAX_STALE_DATAGRAMS);
    sequence++;
    socket.send(NetlinkCodec.encode(request, sequence));
    return sequence;
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
