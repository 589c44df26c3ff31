package io.gatehouse.control.limit;

import io.gatehouse.runtime.CallBudget;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lets connections in by their source address: so many at a time, and so many new ones a second. An
 * address of IPv6 stands for its /64, which one host has for itself. Remembers a bounded number of
 * addresses. Safe for use by many threads.
 */
final class AddressGate {
  private static final int REMEMBERED = 20_000;
  private static final int BURST_FACTOR = 10;

  private final int most;
  private final CallBudget handshakes;
  private final Map<String, Integer> open = new HashMap<>();

  AddressGate(int most, int perSecond, LongSupplier nanoTime) {
    this.most = most;
    this.handshakes = new CallBudget(perSecond, perSecond * BURST_FACTOR, REMEMBERED, nanoTime);
  }

  /** Whether one more may come in; if so, {@link #leave} has to be called for it once. */
  synchronized boolean enter(InetAddress address) {
    String key = SourceAddress.of(address).group();
    if (handshakes.take(key).isPresent() || open.getOrDefault(key, 0) >= most) {
      return false;
    }
    open.merge(key, 1, Integer::sum);
    return true;
  }

  synchronized void leave(InetAddress address) {
    open.computeIfPresent(
        SourceAddress.of(address).group(), (key, count) -> count == 1 ? null : count - 1);
  }

  synchronized int openFrom(InetAddress address) {
    return open.getOrDefault(SourceAddress.of(address).group(), 0);
  }
}
