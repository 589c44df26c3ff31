package io.gatehouse.agent.device;

import io.gatehouse.model.net.InvalidValueException;
import java.nio.charset.StandardCharsets;

/**
 * What the kernel takes for a network device's name ({@code dev_valid_name} of net/core/dev.c): 1
 * to 15 bytes, no slash, colon or white space, not {@code .} or {@code ..}. So a name that passes
 * is one path element and never leaves its folder.
 */
public final class LinkName {
  private static final int MAX_BYTES = 15;

  private LinkName() {}

  /** The same name, or {@link InvalidValueException}. */
  public static String checked(String name) {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > MAX_BYTES) {
      throw new InvalidValueException("device", name, "is not 1 to 15 bytes");
    }
    boolean refused =
        name.codePoints()
            .anyMatch(
                c ->
                    c == '/' || c == ':' || Character.isWhitespace(c) || Character.isISOControl(c));
    if (refused || name.equals(".") || name.equals("..")) {
      throw new InvalidValueException("device", name, "is no name of a network device");
    }
    return name;
  }
}
