package io.gatehouse.control.api;

import io.gatehouse.model.net.InvalidValueException;
import java.util.Arrays;
import java.util.List;

/** Values of enumerations as people write them: {@code ACTIVE} for {@code TENANT_STATE_ACTIVE}. */
public final class EnumText {
  private EnumText() {}

  /**
   * The value without its prefix.
   *
   * @throws InvalidValueException if the enumeration has no such value
   */
  public static <E extends Enum<E>> String normal(String text, String prefix, Class<E> type) {
    String shortName = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    List<String> known =
        Arrays.stream(type.getEnumConstants())
            .map(Enum::name)
            .filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length()))
            .toList();
    if (!known.contains(shortName)) {
      throw new InvalidValueException("value", text, "is not one of " + known);
    }
    return shortName;
  }
}
