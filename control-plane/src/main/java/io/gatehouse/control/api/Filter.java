package io.gatehouse.control.api;

import io.gatehouse.model.net.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Terms {@code field = value} or {@code field != value}, joined by {@code AND} (a part of AIP-160).
 * A value with spaces is put in double quotes, in which {@code \"} and {@code \\} stand for
 * themselves.
 */
public final class Filter {
  private static final int MAX_LENGTH = 1_024;
  private static final String PARAMETER = "filter";

  private static final Pattern TERM =
      Pattern.compile(
          "\\s*(?<field>[a-z_]+)\\s*(?<operator>!?=)\\s*"
              + "(?:\"(?<quoted>(?:[^\"\\\\]|\\\\[\"\\\\])*+)\"|(?<bare>[^\\s\"=!]++))\\s*");

  private static final Pattern AND = Pattern.compile("AND(?=\\s)");

  /**
   * A field that can be asked for.
   *
   * @param value of a resource, as text
   * @param normal form of an asked text, the same as {@code value} gives; refuses what no resource
   *     can have
   */
  public record Field<T>(Function<T, String> value, UnaryOperator<String> normal) {
    /** A field of free text. */
    public static <T> Field<T> text(Function<T, String> value) {
      return new Field<>(value, UnaryOperator.identity());
    }
  }

  private Filter() {}

  /**
   * Reads a filter.
   *
   * @param fields by name
   * @throws InvalidValueException that says what is wrong where
   */
  public static <T> Predicate<T> parse(String text, Map<String, Field<T>> fields) {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidValueException(
          PARAMETER, text, "is longer than " + MAX_LENGTH + " characters");
    }
    if (text.isBlank()) {
      return resource -> true;
    }
    List<Predicate<T>> terms = new ArrayList<>();
    Matcher term = TERM.matcher(text);
    Matcher and = AND.matcher(text);
    int at = 0;
    while (true) {
      if (!term.region(at, text.length()).lookingAt()) {
        throw malformed(text, at, "field = value or field != value");
      }
      terms.add(term(term, fields));
      at = term.end();
      if (at == text.length()) {
        return resource -> terms.stream().allMatch(one -> one.test(resource));
      }
      if (!and.region(at, text.length()).lookingAt()) {
        throw malformed(text, at, "AND");
      }
      at = and.end();
    }
  }

  private static <T> Predicate<T> term(Matcher term, Map<String, Field<T>> fields) {
    String name = term.group("field");
    Field<T> field = fields.get(name);
    if (field == null) {
      throw new InvalidValueException(
          PARAMETER, name, "is no field to filter by; there are " + new TreeSet<>(fields.keySet()));
    }
    String wanted = normal(name, field, value(term));
    boolean equal = term.group("operator").equals("=");
    return resource -> field.value().apply(resource).equals(wanted) == equal;
  }

  private static <T> String normal(String name, Field<T> field, String value) {
    try {
      return field.normal().apply(value);
    } catch (InvalidValueException e) {
      throw new InvalidValueException(PARAMETER, name, "= " + e.reason());
    }
  }

  private static String value(Matcher term) {
    String bare = term.group("bare");
    return bare != null ? bare : term.group("quoted").replaceAll("\\\\([\"\\\\])", "$1");
  }

  private static InvalidValueException malformed(String text, int at, String expected) {
    return new InvalidValueException(
        PARAMETER, text, "has no " + expected + " at character " + (at + 1));
  }
}
