package io.gatehouse.control.cli.apply;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.FieldText;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * A field that is not as declared.
 *
 * @param before as text; empty for nothing
 * @param after as text; empty for nothing
 */
public record FieldChange(FieldSpec field, String before, String after) {

  /** The difference of one field, if there is one. The order of a list means nothing. */
  static Optional<FieldChange> between(FieldSpec field, Message current, Message declared) {
    Object is = FieldPath.get(current, field.path());
    Object wanted = FieldPath.get(declared, field.path());
    boolean same = comparable(is).equals(comparable(wanted));
    boolean known = FieldPath.has(current, field.path());
    if ((same && known) || isLeftToAllocate(field, wanted)) {
      return Optional.empty();
    }
    return Optional.of(new FieldChange(field, known ? text(is) : "", text(wanted)));
  }

  /** {@code path: old -> new}. */
  @Override
  public String toString() {
    return field.path() + ": " + shown(before) + " -> " + shown(after);
  }

  /** A zero where the value is given once for all means "any". */
  private static boolean isLeftToAllocate(FieldSpec field, Object wanted) {
    return field.change() == FieldSpec.Change.NEVER && FieldText.show(wanted).isEmpty();
  }

  private static Object comparable(Object value) {
    return value instanceof List<?> list ? new HashSet<>(list) : value;
  }

  private static String text(Object value) {
    return value instanceof Number ? value.toString() : FieldText.show(value);
  }

  private static String shown(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
