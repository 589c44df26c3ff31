package io.gatehouse.agent.device.unixctl;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;

/**
 * Finds the end of one JSON object in a stream of bytes, each of which is looked at once. JSON-RPC
 * 1.0 puts nothing between messages.
 */
final class JsonScan {
  private static final int MAX_DEPTH = 32;

  private int depth;
  private boolean inString;
  private boolean escaped;
  private boolean ended;

  /** True once the object is complete. */
  boolean isEnded() {
    return ended;
  }

  /** Looks at the next byte. */
  void accept(byte b) throws DeviceException {
    if (ended) {
      requireBlank(b);
      return;
    }
    if (inString) {
      inString = escaped || b != '"';
      escaped = !escaped && b == '\\';
      return;
    }
    switch (b) {
      case '"' -> inString = true;
      case '{', '[' -> depth++;
      case '}', ']' -> depth--;
      default -> {}
    }
    if (depth == 0 && (b == '}' || b == ']')) {
      ended = true;
    } else if (depth < 1) {
      requireBlank(b);
    } else if (depth > MAX_DEPTH) {
      throw new DeviceException(Kind.PROTOCOL, "an answer is nested deeper than " + MAX_DEPTH);
    }
  }

  private static void requireBlank(byte b) throws DeviceException {
    if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
      throw new DeviceException(Kind.PROTOCOL, "an answer is not one JSON object");
    }
  }
}
