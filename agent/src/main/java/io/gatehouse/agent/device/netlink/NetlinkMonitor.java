package io.gatehouse.agent.device.netlink;

import com.sun.jna.LastErrorException;
import io.gatehouse.agent.device.DeviceException;

/**
 * Says that something changed in the network namespace of the thread that started it. It does not
 * say what: the listener observes again. Many changes may be one call; a loss in the kernel's queue
 * is a call too, so no change goes by without one after it.
 *
 * <p>One daemon thread, which waits in poll(2) without a timeout. A failing socket or listener is a
 * bug and ends the thread with the exception.
 */
public final class NetlinkMonitor implements AutoCloseable {
  /** What can be watched. */
  public enum Subject {
    /** RTMGRP_* of linux/rtnetlink.h, as bits in the socket's address. */
    LINKS_ADDRESSES_ROUTES(NetlinkProtocol.ROUTE, 0x1 | 0x10 | 0x40 | 0x100 | 0x400),
    /** NFNLGRP_NFTABLES of linux/netfilter/nfnetlink.h. */
    NF_TABLES(NetlinkProtocol.NETFILTER, 0x40);

    private final NetlinkProtocol protocol;
    private final int groups;

    Subject(NetlinkProtocol protocol, int groups) {
      this.protocol = protocol;
      this.groups = groups;
    }
  }

  /** The listener is called at the latest after this many datagrams, even in a storm. */
  private static final int MAX_COALESCED = 4096;

  private static final long JOIN_MILLIS = 5_000;

  private final NetlinkSocket socket;
  private final int stopEvent;
  private final Listener listener;
  private final Thread thread;
  private final Object lock = new Object();
  private volatile boolean stopping;
  private boolean ended;

  /** Is told of changes, on the monitor's thread. */
  public interface Listener {
    void changed();
  }

  private NetlinkMonitor(NetlinkSocket socket, int stopEvent, Listener listener) {
    this.socket = socket;
    this.stopEvent = stopEvent;
    this.listener = listener;
    this.thread = new Thread(this::run, "netlink-monitor");
    thread.setDaemon(true);
  }

  /** Starts watching. An observation made after this call misses nothing. */
  public static NetlinkMonitor start(Subject subject, Listener listener) throws DeviceException {
    NetlinkSocket socket = NetlinkSocket.open(subject.protocol, subject.groups);
    NetlinkMonitor monitor;
    try {
      int stopEvent = LibC.eventfd(0, LibC.EFD_CLOEXEC_NONBLOCK);
      monitor = new NetlinkMonitor(socket, stopEvent, listener);
    } catch (LastErrorException e) {
      socket.close();
      throw NetlinkSocket.failed("make an event", e);
    }
    monitor.thread.start();
    return monitor;
  }

  /**
   * Stops watching; after it returns the listener is not called. From the listener itself it does
   * not wait. Idempotent.
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (!stopping) {
        stopping = true;
        // Closing a socket does not wake a thread that waits for it; this event does.
        signalOrRelease();
      }
    }
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!stopping) {
        socket.awaitReadable(stopEvent);
        if (!stopping && socket.drain(MAX_COALESCED) > 0) {
          listener.changed();
        }
      }
    } catch (DeviceException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } finally {
      socket.close();
      synchronized (lock) {
        ended = true;
        if (stopping) {
          signalOrRelease();
        }
      }
    }
  }

  /** The event's number may belong to another file once it is closed: the last user closes it. */
  private void signalOrRelease() {
    if (ended) {
      LibC.close(stopEvent);
      return;
    }
    LibC.write(stopEvent, NetlinkSocket.direct(8).putLong(0, 1), 8);
  }
}
