package io.gatehouse.control.cli.command;

import io.gatehouse.proto.v1.PortObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flows in {@code ovs-ofctl} syntax, grouped by the tables of the pipeline. */
final class FlowListing {
  private static final Pattern TABLE = Pattern.compile("(?:^|[ ,])table=([A-Za-z0-9_]+),? ?");

  /** The pipeline of docs/pipeline.md; what is not here is shown by its number. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("0", "CLASSIFY"),
          Map.entry("10", "SOURCE_GUARD"),
          Map.entry("20", "SERVICES"),
          Map.entry("30", "EGRESS_CT"),
          Map.entry("31", "EGRESS_RULES"),
          Map.entry("40", "ROUTE"),
          Map.entry("50", "FORWARD"),
          Map.entry("60", "MTU"),
          Map.entry("70", "INGRESS_CT"),
          Map.entry("71", "INGRESS_RULES"),
          Map.entry("80", "OUTPUT"));

  private FlowListing() {}

  static String of(PortObservation observation) {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    for (String flow : observation.getFlowsList()) {
      Matcher table = TABLE.matcher(flow);
      String number = table.find() ? table.group(1) : "0";
      tables.computeIfAbsent(number, n -> new ArrayList<>()).add(flow.strip());
    }
    StringBuilder text = new StringBuilder();
    text.append(observation.getFlowsCount())
        .append(" flows, as read back at revision ")
        .append(observation.getRevision())
        .append('\n');
    tables.forEach(
        (number, flows) -> {
          text.append("  table ").append(number);
          text.append(NAMES.containsKey(number) ? " " + NAMES.get(number) : "").append('\n');
          flows.forEach(flow -> text.append("    ").append(flow).append('\n'));
        });
    return text.toString();
  }
}
