package io.gatehouse.control.image;

import io.gatehouse.model.net.InvalidValueException;
import java.util.regex.Pattern;

/**
 * SHA-256 of a request, to tell a repeat from another request with the same id.
 *
 * @param hex 64 lower-case hexadecimal digits, or empty where there was no request
 */
public record RequestHash(String hex) {
  private static final Pattern FORM = Pattern.compile("([0-9a-f]{64})?");

  public static final RequestHash NONE = new RequestHash("");

  public RequestHash {
    if (!FORM.matcher(hex).matches()) {
      throw new InvalidValueException("request_hash", hex, "is not a SHA-256 in hexadecimal");
    }
  }
}
