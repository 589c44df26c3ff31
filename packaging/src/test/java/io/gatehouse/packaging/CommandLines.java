package io.gatehouse.packaging;

import java.util.List;
import java.util.stream.Stream;

/** Command lines as lists of words. */
final class CommandLines {
  private CommandLines() {}

  static String[] join(List<String> first, String... rest) {
    return Stream.concat(first.stream(), Stream.of(rest)).toArray(String[]::new);
  }
}
