package io.gatehouse.control.api;

import com.google.protobuf.FieldMask;
import io.gatehouse.model.net.InvalidValueException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which fields an update changes (AIP-134). */
public final class UpdateMask {
  private static final String FIELD = "update_mask";

  private final Set<String> paths;

  private UpdateMask(Set<String> paths) {
    this.paths = paths;
  }

  /**
   * Checks a mask.
   *
   * @param allowed the paths that can be changed
   * @throws InvalidValueException if it is empty or names another path
   */
  public static UpdateMask of(FieldMask mask, Set<String> allowed) {
    if (mask.getPathsCount() == 0) {
      throw new InvalidValueException(
          FIELD, "", "is empty: name the fields to change, of " + new TreeSet<>(allowed));
    }
    for (String path : mask.getPathsList()) {
      if (!allowed.contains(path)) {
        throw new InvalidValueException(
            FIELD, path, "cannot be changed; what can is " + new TreeSet<>(allowed));
      }
    }
    return new UpdateMask(Set.copyOf(mask.getPathsList()));
  }

  public boolean has(String path) {
    return paths.contains(path);
  }

  /** The new value where the mask has the path, else null: "unchanged". */
  public <T> @Nullable T ifNamed(String path, Supplier<T> value) {
    return has(path) ? value.get() : null;
  }
}
