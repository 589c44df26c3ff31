package io.gatehouse.control.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of one thing, a line each, values aligned. One thread. */
public final class FieldList {
  private final Map<String, String> fields = new LinkedHashMap<>();

  public FieldList add(String label, String value) {
    fields.put(label, Table.cell(value));
    return this;
  }

  /** All lines, each ended. */
  @Override
  public String toString() {
    int width = fields.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    fields.forEach(
        (label, value) ->
            text.append(label)
                .append(" ".repeat(width - label.length() + 2))
                .append(value)
                .append('\n'));
    return text.toString();
  }
}
