package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Dashboard and alerts use metrics that exist. The list is the table of docs/operations.md, which
 * MetricsReferenceTest of each program compares with what the program exports.
 */
final class ObservabilityFilesTest {
  private static final String DASHBOARD = "packaging/observability/grafana-dashboard.json";
  private static final String ALERTS = "packaging/observability/alerts.yaml";
  private static final Pattern METRIC = Pattern.compile("\\bgatehouse_[a-z_]+\\b");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(gatehouse_[a-z_]+)` \\| (\\w+)");
  private static final Pattern ALERT_ROW = Pattern.compile("(?m)^\\| `(Gatehouse\\w+)` \\|");
  private static final List<String> SUFFIXES = List.of("_bucket", "_count", "_sum", "_max");

  @Test
  void theDashboardUsesMetricsThatExist() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(Repository.text(DASHBOARD));
    assertThat(dashboard.path("title").asText()).isEqualTo("Gatehouse");
    Set<Integer> ids = new TreeSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as("one id each").isTrue();
      boolean row = panel.path("type").asText().equals("row");
      assertThat(panel.path("targets").isEmpty()).as(panel.path("title").asText()).isEqualTo(row);
      panel.path("targets").forEach(target -> checkMetrics(target.path("expr").asText()));
    }
    assertThat(ids).hasSizeGreaterThan(20);
  }

  @Test
  void theAlertsUseMetricsThatExistAndAreExplained() throws IOException {
    Map<String, List<Map<String, Object>>> file =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Repository.text(ALERTS));
    Set<String> alerts = new TreeSet<>();
    for (Map<String, Object> group : file.getOrDefault("groups", List.of())) {
      for (Object entry : (List<?>) group.getOrDefault("rules", List.of())) {
        Map<?, ?> rule = (Map<?, ?>) entry;
        alerts.add(String.valueOf(rule.get("alert")));
        checkMetrics(String.valueOf(rule.get("expr")));
        assertThat((Map<?, ?>) rule.get("annotations")).hasSize(2);
      }
    }
    Set<String> explained =
        ALERT_ROW
            .matcher(Repository.section("docs/operations.md", "## Alerts"))
            .results()
            .map((MatchResult match) -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(alerts).isNotEmpty().isEqualTo(explained);
  }

  private static void checkMetrics(String expression) {
    Set<String> used =
        METRIC
            .matcher(expression)
            .results()
            .map((MatchResult match) -> match.group())
            .collect(Collectors.toSet());
    assertThat(used).as(expression).isNotEmpty().allMatch(ObservabilityFilesTest::exists);
  }

  /** A gauge and a counter have one name; a histogram and a summary have more. */
  private static boolean exists(String metric) {
    Map<String, String> known = known();
    return known.containsKey(metric)
        || SUFFIXES.stream()
            .filter(metric::endsWith)
            .map(suffix -> known.get(metric.substring(0, metric.length() - suffix.length())))
            .anyMatch(type -> "histogram".equals(type) || "summary".equals(type));
  }

  private static Map<String, String> known() {
    try {
      return ROW.matcher(Repository.section("docs/operations.md", "## Metrics"))
          .results()
          .collect(Collectors.toMap((MatchResult m) -> m.group(1), m -> m.group(2)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
