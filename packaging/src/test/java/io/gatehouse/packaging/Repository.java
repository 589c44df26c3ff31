package io.gatehouse.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The source tree that this module belongs to. Maven runs tests in the module's folder. */
final class Repository {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> NOT_OURS = Set.of("target", ".git");

  private Repository() {}

  /** A file or folder below the root. */
  static Path path(String relative) {
    return ROOT.resolve(relative);
  }

  static String text(String relative) throws IOException {
    return Files.readString(path(relative));
  }

  /** The part of a document from a heading to the next one of the same or a higher level. */
  static String section(String document, String heading) throws IOException {
    String level = heading.substring(0, heading.indexOf(' '));
    StringBuilder section = new StringBuilder();
    boolean inside = false;
    boolean code = false;
    for (String line : Files.readAllLines(path(document))) {
      code ^= line.startsWith("```");
      if (line.equals(heading)) {
        inside = true;
        continue;
      }
      boolean ends = !code && line.matches("#{1," + level.length() + "} .*");
      if (inside && ends) {
        return section.toString();
      }
      if (inside) {
        section.append(line).append('\n');
      }
    }
    if (!inside) {
      throw new IllegalArgumentException(document + " has no heading '" + heading + "'");
    }
    return section.toString();
  }

  /** All documents, generated ones left out. */
  static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> isOurs(ROOT.relativize(file)))
          .sorted()
          .toList();
    }
  }

  /** As people write it, from the root. */
  static String name(Path file) {
    return ROOT.relativize(file).toString();
  }

  private static boolean isOurs(Path file) {
    for (Path part : file) {
      if (NOT_OURS.contains(part.toString())) {
        return false;
      }
    }
    return true;
  }
}
