package io.gatehouse.agent.state.observed;

import java.util.function.Function;

/**
 * What was read from a device: a value, or the reason why there is none. Unknown is never empty.
 */
public sealed interface Observed<T> {

  /** What the device has. */
  record Known<T>(T value) implements Observed<T> {}

  /** The device could not be read. */
  record Unknown<T>(String reason) implements Observed<T> {}

  /** The value, or what the reason is turned into. */
  default T orElseGet(Function<String, T> fallback) {
    if (this instanceof Known<T> known) {
      return known.value();
    }
    return fallback.apply(((Unknown<T>) this).reason());
  }

  default boolean isKnown() {
    return this instanceof Known;
  }
}
