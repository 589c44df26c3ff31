package io.gatehouse.wire;

import io.gatehouse.model.net.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads fields of messages so that a complaint carries the path of the field. */
public final class FieldReader {
  private FieldReader() {}

  /** Applies a parser; what it refuses is reported under the given field, as a caller sees it. */
  public static <S, T> T read(String field, S given, Function<S, T> parser) {
    try {
      return parser.apply(given);
    } catch (InvalidValueException e) {
      throw e.renamed(field);
    }
  }

  /**
   * Reads a message inside another one; the path of what is refused starts with the given field.
   */
  public static <S, T> T readWithin(String field, S given, Function<S, T> parser) {
    try {
      return parser.apply(given);
    } catch (InvalidValueException e) {
      throw e.within(field);
    }
  }

  /** A uint32 that is kept as an int: the upper half is refused. */
  public static int uint32(String field, int bits) {
    if (bits < 0) {
      throw new InvalidValueException(
          field, Integer.toUnsignedString(bits), "is outside 0.." + Integer.MAX_VALUE);
    }
    return bits;
  }

  /** As {@link #read} for each element; the path has the element's index. */
  public static <S, T> List<T> readAll(
      String field, List<S> given, int limit, Function<S, T> parser) {
    checkSize(field, given, limit);
    List<T> values = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      values.add(read(field + "[" + i + "]", given.get(i), parser));
    }
    return values;
  }

  /** As {@link #readWithin} for each element; the path has the element's index. */
  public static <S, T> List<T> readAllWithin(
      String field, List<S> given, int limit, Function<S, T> parser) {
    checkSize(field, given, limit);
    List<T> values = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      values.add(readWithin(field + "[" + i + "]", given.get(i), parser));
    }
    return values;
  }

  private static void checkSize(String field, List<?> given, int limit) {
    if (given.size() > limit) {
      throw new InvalidValueException(field, given.size() + " elements", "are more than " + limit);
    }
  }
}
