package io.gatehouse.control.limit;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
  private static final int PREFIX_BYTES = 8;
  private static final double NANOS = 1e9;

  private final int most;
  private final int perSecond;
  private final LongSupplier nanoTime;
  private final Map<String, Integer> open = new HashMap<>();
  private final Map<String, Rate> rates = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Rate {
    private double left;
    private long atNanos;
  }

  AddressGate(int most, int perSecond, LongSupplier nanoTime) {
    this.most = most;
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
  }

  /** Whether one more may come in; if so, {@link #leave} has to be called for it once. */
  synchronized boolean enter(InetAddress address) {
    String key = key(address);
    if (!isInTime(key) || open.getOrDefault(key, 0) >= most) {
      return false;
    }
    open.merge(key, 1, Integer::sum);
    return true;
  }

  synchronized void leave(InetAddress address) {
    open.computeIfPresent(key(address), (key, count) -> count == 1 ? null : count - 1);
  }

  synchronized int openFrom(InetAddress address) {
    return open.getOrDefault(key(address), 0);
  }

  private boolean isInTime(String key) {
    long now = nanoTime.getAsLong();
    double full = (double) perSecond * BURST_FACTOR;
    Rate rate = rates.get(key);
    if (rate == null) {
      rate = new Rate();
      rate.left = full;
      rate.atNanos = now;
      rates.put(key, rate);
      if (rates.size() > REMEMBERED) {
        rates.remove(rates.keySet().iterator().next());
      }
    }
    rate.left = Math.min(full, rate.left + (now - rate.atNanos) / NANOS * perSecond);
    rate.atNanos = now;
    if (rate.left < 1) {
      return false;
    }
    rate.left--;
    return true;
  }

  private static String key(InetAddress address) {
    byte[] bytes = address.getAddress();
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < bytes.length && i < PREFIX_BYTES; i++) {
      key.append(bytes[i]).append('.');
    }
    return key.toString();
  }
}
