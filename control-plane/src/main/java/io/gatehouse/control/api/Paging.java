package io.gatehouse.control.api;

import io.gatehouse.model.net.InvalidValueException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.zip.CRC32;

/**
 * Pages of a listing in name order (AIP-158). A token names the last resource of its page and is
 * bound to the parent and filter of the listing; it stays good whatever is added or removed
 * meanwhile.
 */
public final class Paging {
  private static final int DEFAULT_SIZE = 100;
  private static final int MAX_SIZE = 1_000;
  private static final String TOKEN = "page_token";

  private final int size;
  private final String token;
  private final String listing;

  private Paging(int size, String token, String listing) {
    this.size = size;
    this.token = token;
    this.listing = listing;
  }

  /**
   * One page.
   *
   * @param nextToken empty on the last page
   */
  public record Page<T>(List<T> resources, String nextToken) {}

  /**
   * What a caller asks for.
   *
   * @param listing all that makes the listing: its method, parent and filter
   */
  public static Paging of(int pageSize, String pageToken, String... listing) {
    if (pageSize < 0 || pageSize > MAX_SIZE) {
      throw new InvalidValueException("page_size", pageSize, "is outside 0.." + MAX_SIZE);
    }
    return new Paging(
        pageSize == 0 ? DEFAULT_SIZE : pageSize, pageToken, String.join("\0", listing));
  }

  /**
   * The page.
   *
   * @param all in name order
   * @param parser of names
   */
  public <K, T> Page<T> page(
      NavigableMap<K, T> all, Predicate<T> wanted, Function<String, K> parser) {
    NavigableMap<K, T> rest = token.isEmpty() ? all : all.tailMap(after(parser), false);
    List<T> page = new ArrayList<>();
    K last = null;
    for (var named : rest.entrySet()) {
      if (!wanted.test(named.getValue())) {
        continue;
      }
      if (page.size() == size) {
        return new Page<>(page, token(String.valueOf(last)));
      }
      page.add(named.getValue());
      last = named.getKey();
    }
    return new Page<>(page, "");
  }

  private <K> K after(Function<String, K> parser) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw badToken();
    }
    if (bytes.length < Integer.BYTES) {
      throw badToken();
    }
    String name =
        new String(bytes, Integer.BYTES, bytes.length - Integer.BYTES, StandardCharsets.UTF_8);
    if (!token(name).equals(token)) {
      throw badToken();
    }
    try {
      return parser.apply(name);
    } catch (InvalidValueException e) {
      throw badToken();
    }
  }

  /** A checksum tells a foreign token; there is nothing secret to protect in one. */
  private String token(String name) {
    CRC32 checksum = new CRC32();
    checksum.update((listing + '\0' + name).getBytes(StandardCharsets.UTF_8));
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + nameBytes.length);
    bytes.putInt((int) checksum.getValue()).put(nameBytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  private static InvalidValueException badToken() {
    return new InvalidValueException(
        TOKEN, "it", "is not a next_page_token of this listing with the same parent and filter");
  }
}
