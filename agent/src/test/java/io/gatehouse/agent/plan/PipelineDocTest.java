package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.PipelineTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/pipeline.md tells of every table, in order, with real flows. */
final class PipelineDocTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "pipeline.md");
  private static final Pattern TABLE = Pattern.compile("## (\\d+) ([A-Z_]+)");
  private static final Pattern SCENARIO = Pattern.compile(".*\\(`([a-z0-9-]+)`\\):");
  private static final Pattern FLOW = Pattern.compile(" {4}(table=(\\d+),.*)");

  @Test
  void everyTableIsThereInOrder() throws IOException {
    List<String> told =
        Files.readAllLines(DOCUMENT).stream()
            .map(TABLE::matcher)
            .filter(Matcher::matches)
            .map(heading -> heading.group(1) + " " + heading.group(2))
            .toList();
    List<String> tables =
        java.util.Arrays.stream(PipelineTable.values())
            .map(table -> table.number() + " " + table)
            .toList();
    assertThat(told).isEqualTo(tables);
  }

  @Test
  void everyTableQuotesRealFlows() throws IOException {
    Map<String, Integer> quotes = new HashMap<>();
    String table = "";
    String scenario = "";
    for (String line : Files.readAllLines(DOCUMENT)) {
      Matcher heading = TABLE.matcher(line);
      Matcher named = SCENARIO.matcher(line);
      Matcher flow = FLOW.matcher(line);
      if (heading.matches()) {
        table = heading.group(1);
      } else if (named.matches()) {
        scenario = named.group(1);
      } else if (flow.matches()) {
        assertThat(flow.group(2)).as(line).isEqualTo(table);
        assertThat(Files.readAllLines(Scenario.named(scenario).expected()))
            .as("%s has the flow that the document quotes", scenario)
            .contains(flow.group(1));
        quotes.merge(table, 1, Integer::sum);
      }
    }
    for (PipelineTable each : PipelineTable.values()) {
      assertThat(quotes).containsKey(Integer.toString(each.number()));
    }
  }

  @Test
  void prioritiesAreTold() throws IOException {
    String document = Files.readString(DOCUMENT);
    for (Scenario scenario : Scenario.all()) {
      scenario
          .plan()
          .flows()
          .fragments()
          .values()
          .forEach(
              fragment ->
                  fragment
                      .flows()
                      .forEach(
                          flow -> assertThat(document).contains("| " + flow.priority() + " |")));
    }
  }
}
