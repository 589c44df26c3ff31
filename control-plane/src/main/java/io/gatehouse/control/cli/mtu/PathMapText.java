package io.gatehouse.control.cli.mtu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A map of paths for a terminal, and as a page. */
final class PathMapText {
  private static final String CORNER = "FROM \\ TO";
  private static final String NOTHING = ".";
  private static final String RESET = "\u001b[0m";
  private static final String GREEN = "\u001b[32m";
  private static final String YELLOW = "\u001b[33m";
  private static final String RED = "\u001b[31m";
  private static final List<String> LEGEND =
      List.of(
          "1500   largest packet proven, in bytes on the underlay; enough for all networks",
          "1400!  larger ones vanish     none!  nothing arrives     ?  being searched",
          "*      the DPU is away: what it said last     .  no network in common, or proven and not kept");

  private PathMapText() {}

  /** The matrix with its legend; each line is ended. */
  static String matrix(PathMap map, boolean colored) {
    List<String> names = List.copyOf(map.names());
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    int column = Math.max(width, "9286!*".length());
    StringBuilder text = new StringBuilder(pad(CORNER, Math.max(width, CORNER.length())));
    names.forEach(name -> text.append("  ").append(pad(name, column)));
    List<String> lines = new ArrayList<>(List.of(text.toString().stripTrailing()));
    for (String from : names) {
      StringBuilder line = new StringBuilder(pad(from, Math.max(width, CORNER.length())));
      for (String to : names) {
        line.append("  ").append(cell(map.cell(from, to), column, colored));
      }
      lines.add(line.toString().stripTrailing());
    }
    lines.add("");
    lines.addAll(LEGEND);
    return String.join("\n", lines) + "\n";
  }

  private static String cell(Optional<PathMap.Cell> cell, int width, boolean colored) {
    String text = pad(cell.map(PathMap.Cell::text).orElse(NOTHING), width);
    return colored && cell.isPresent() ? color(cell.get()) + text + RESET : text;
  }

  private static String color(PathMap.Cell cell) {
    if (cell.isWrong()) {
      return RED;
    }
    return cell.isProven() ? GREEN : YELLOW;
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** One page that needs no other file and no network. */
  static String page(PathMap map, String title) {
    StringBuilder page =
        new StringBuilder(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Path MTU</title>
            <style>
            body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #1a1a1a; }
            table { border-collapse: collapse; }
            th, td { border: 1px solid #c8c8c8; padding: .3em .6em; text-align: right; }
            th { background: #f2f2f2; font-weight: 600; }
            tbody th { text-align: left; position: sticky; left: 0; }
            .proven { background: #dff3e0; }
            .wrong { background: #f8d4d4; font-weight: 600; }
            .unknown { background: #fbf0cf; }
            .none { color: #9a9a9a; }
            @media print { body { margin: 0; } }
            </style>
            </head>
            <body>
            """);
    page.append("<h1>Path MTU</h1>\n<p>").append(escaped(title)).append("</p>\n");
    page.append(
        "<p>Rows: from. Columns: to. Largest IP packet proven on the underlay, in bytes.</p>\n");
    page.append("<table>\n<thead><tr><th></th>");
    map.names().forEach(name -> page.append("<th>").append(escaped(name)).append("</th>"));
    page.append("</tr></thead>\n<tbody>\n");
    for (String from : map.names()) {
      page.append("<tr><th>").append(escaped(from)).append("</th>");
      map.names().forEach(to -> page.append(square(map.cell(from, to))));
      page.append("</tr>\n");
    }
    page.append("</tbody>\n</table>\n<ul>\n");
    map.problems().forEach(line -> page.append("<li>").append(escaped(line)).append("</li>\n"));
    LEGEND.forEach(
        line -> page.append("<li class=\"none\">").append(escaped(line)).append("</li>\n"));
    return page.append("</ul>\n</body>\n</html>\n").toString();
  }

  private static String square(Optional<PathMap.Cell> cell) {
    if (cell.isEmpty()) {
      return "<td class=\"none\">" + NOTHING + "</td>";
    }
    String kind = cell.get().isWrong() ? "wrong" : cell.get().isProven() ? "proven" : "unknown";
    return "<td class=\"" + kind + "\">" + escaped(cell.get().text()) + "</td>";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
