package io.gatehouse.control.decide;

import io.gatehouse.control.decide.RefusedException.Kind;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** Refusals that several deciders have in common. */
public final class Refusals {
  private static final int NAMED = 5;

  private Refusals() {}

  public static <T> T existing(Optional<T> found, Object name) {
    return existing(found, "name", name);
  }

  public static <T> T existing(Optional<T> found, String field, Object name) {
    return found.orElseThrow(
        () -> new RefusedException(Kind.NOT_FOUND, field, name + " does not exist"));
  }

  public static void absent(Optional<?> found, Object name) {
    if (found.isPresent()) {
      throw new RefusedException(Kind.ALREADY_EXISTS, "name", name + " exists already");
    }
  }

  public static void unused(Object name, String kind, Collection<?> users) {
    if (!users.isEmpty()) {
      throw new RefusedException(
          Kind.FAILED_PRECONDITION, name + " still has " + kind + ": " + first(users, NAMED));
    }
  }

  public static RefusedException taken(String field, String reason) {
    return new RefusedException(Kind.ALREADY_EXISTS, field, reason);
  }

  public static RefusedException precondition(String field, String reason) {
    return new RefusedException(Kind.FAILED_PRECONDITION, field, reason);
  }

  /** The first few of them, and how many more there are. */
  public static String first(Collection<?> things, int limit) {
    String shown =
        things.stream().limit(limit).map(Object::toString).collect(Collectors.joining(", "));
    int more = things.size() - limit;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }
}
