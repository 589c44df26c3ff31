package io.gatehouse.control.api;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import java.util.Optional;

/** What a call is about, or the refusal that there is none. */
public final class Found {
  private Found() {}

  public static <T> T existing(Optional<T> found, Object name) {
    return found.orElseThrow(
        () ->
            new RefusedException(
                RefusedException.Kind.NOT_FOUND, "name", name + " does not exist"));
  }

  /** The event by which an entry put the resource that it is about: the first of its kind. */
  public static <E extends Event> E put(Entry entry, Class<E> kind) {
    return entry.events().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("revision " + entry.revision() + " put nothing"));
  }
}
