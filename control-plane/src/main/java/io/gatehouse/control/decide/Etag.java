package io.gatehouse.control.decide;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Short hash of a stored resource: another content, another etag. Opaque to callers; every replica
 * of one version computes the same one.
 */
public final class Etag {
  private static final int SHOWN_BYTES = 8;

  private Etag() {}

  /** The etag of a resource, 16 hexadecimal digits. */
  public static String of(Record resource) {
    byte[] text = resource.toString().getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(sha256().digest(text), 0, SHOWN_BYTES);
  }

  /** Refuses an etag that is given and not the resource's current one. */
  public static void check(String given, Record resource, Object name) {
    if (!given.isEmpty() && !given.equals(of(resource))) {
      throw new RefusedException(
          RefusedException.Kind.ABORTED,
          "etag",
          name + " has changed since it was read: read it again and decide anew");
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
