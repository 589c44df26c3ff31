package io.gatehouse.control.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Rows under a header, aligned by spaces; what is empty is a dash. One thread. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public Table(List<String> header) {
    rows.add(header);
  }

  /** Adds a row with as many cells as the header. */
  public Table row(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(cells.size() + " cells under " + rows.get(0));
    }
    rows.add(cells.stream().map(Table::cell).toList());
    return this;
  }

  /** All lines, each ended. */
  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], length(row.get(i)));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - length(row.get(i)))).append(GAP);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  /** One line of printable text: what a server sent cannot steer the terminal. */
  static String cell(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints().forEach(c -> plain.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
    return text.isBlank() ? "-" : plain.toString();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
