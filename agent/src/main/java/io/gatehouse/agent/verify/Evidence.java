package io.gatehouse.agent.verify;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.observed.FlowView;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * The hash that ties a proof to what it was made of: SHA-256 over the revision, a line feed, the
 * time in seconds since 1970, a line feed, and each flow read back in {@code ovs-ofctl} syntax with
 * a line feed, sorted.
 */
final class Evidence {
  private Evidence() {}

  static String of(long revision, Instant at, FlowView found) {
    MessageDigest digest = sha256();
    line(digest, Long.toString(revision));
    line(digest, Long.toString(at.getEpochSecond()));
    found.flows().values().stream()
        .flatMap(List::stream)
        .map(Flow::toString)
        .sorted()
        .forEach(flow -> line(digest, flow));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void line(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n');
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
