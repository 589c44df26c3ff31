package io.gatehouse.agent.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Tells one writing of a file from another.
 *
 * @param attributes empty if there is no file
 */
record FileStamp(Map<String, Object> attributes) {
  static final FileStamp NONE = new FileStamp(Map.of());

  private static final String ATTRIBUTES = "unix:ino,ctime,size,lastModifiedTime";

  static FileStamp of(Path file) {
    try {
      return new FileStamp(Files.readAttributes(file, ATTRIBUTES));
    } catch (IOException e) {
      return NONE;
    }
  }
}
