package io.gatehouse.model.net;

/**
 * A value outside its range or form. The message names the field, the value and the reason, and is
 * fit to be shown to the caller who sent the value.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Longest part of a refused value that is repeated in the message, in characters. */
  private static final int SHOWN_CHARACTERS = 80;

  private final String field;
  private final String reason;

  public InvalidValueException(String field, Object value, String reason) {
    this(field, shown(value) + " " + reason);
  }

  @Override
  public String getMessage() {
    return field + "=" + reason;
  }

  /** The field's path from the root of what was checked, such as {@code network.vni}. */
  public String field() {
    return field;
  }

  /** The value and what is wrong with it, without the field's name. */
  public String reason() {
    return reason;
  }

  /** The same complaint about a field that lies deeper: {@code vni} becomes {@code network.vni}. */
  public InvalidValueException within(String parent) {
    return new InvalidValueException(parent + "." + field, reason);
  }

  /** The same complaint under the name that the caller knows the field by. */
  public InvalidValueException renamed(String name) {
    return new InvalidValueException(name, reason);
  }

  private InvalidValueException(String field, String reason) {
    this.field = field;
    this.reason = reason;
  }

  private static String shown(Object value) {
    String text = String.valueOf(value);
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN_CHARACTERS)
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    if (text.length() > shown.length()) {
      shown.append("…");
    }
    return shown.isEmpty() ? "\"\"" : shown.toString();
  }
}
