package io.gatehouse.runtime.config;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What stands at a key, before it is said whether it must be there. Call exactly one of the three
 * methods; its supplier works once {@code finish} has found no problem.
 */
public final class YamlField<T> {
  private final @Nullable T value;
  private final boolean invalid;
  private final Runnable missing;

  YamlField(@Nullable T value, boolean invalid, Runnable missing) {
    this.value = value;
    this.invalid = invalid;
    this.missing = missing;
  }

  /** The key must be there. */
  public Supplier<T> required() {
    if (value == null && !invalid) {
      missing.run();
    }
    T present = value;
    return () -> {
      if (present == null) {
        throw new IllegalStateException("read before finish()");
      }
      return present;
    };
  }

  /** The key may be left out. */
  public Supplier<T> orElse(T absent) {
    T present = value == null ? absent : value;
    return () -> present;
  }

  /** The key may be left out, and that means something of its own. */
  public Supplier<Optional<T>> optional() {
    Optional<T> present = Optional.ofNullable(value);
    return () -> present;
  }
}
