package io.gatehouse.packaging.bench;

import java.util.Arrays;
import java.util.Locale;

/** Durations of the same thing, many times. */
final class Samples {
  private final double[] millis;
  private int size;

  Samples(int capacity) {
    this.millis = new double[capacity];
  }

  void add(long nanos) {
    millis[size] = nanos / 1e6;
    size++;
  }

  /** The distribution in milliseconds, on one line. */
  String line(String what) {
    double[] sorted = Arrays.copyOf(millis, size);
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%-44s N=%d  p50 %.1f ms  p90 %.1f  p99 %.1f  max %.1f",
        what,
        size,
        sorted[size / 2],
        sorted[size * 9 / 10],
        sorted[size * 99 / 100],
        sorted[size - 1]);
  }
}
