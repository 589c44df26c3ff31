package io.gatehouse.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The version that the build wrote down. */
public final class BuildVersion {
  private static final String RESOURCE = "/gatehouse-version.txt";

  private BuildVersion() {}

  /** Such as {@code 0.1.0}; {@code unknown} if the program was not built by Maven. */
  public static String current() {
    try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
