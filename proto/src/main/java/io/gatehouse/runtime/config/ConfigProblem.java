package io.gatehouse.runtime.config;

/**
 * One thing that is wrong with a file.
 *
 * @param source the file as the person named it
 * @param line line from 1, or 0 where the problem has none
 * @param field path of the field, such as {@code listen.port}; may be empty
 * @param reason what is wrong, with the value
 */
public record ConfigProblem(String source, int line, String field, String reason) {
  @Override
  public String toString() {
    return source
        + ":"
        + (line > 0 ? line + ":" : "")
        + " "
        + (field.isEmpty() ? "" : field + ": ")
        + reason;
  }
}
