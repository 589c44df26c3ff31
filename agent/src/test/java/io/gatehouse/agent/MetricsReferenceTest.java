package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.observe.ObserveEndpoint;
import io.gatehouse.runtime.observe.ReadinessCheck;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of the agent's metrics in docs/operations.md is what the agent exports. */
final class MetricsReferenceTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(gatehouse_[a-z_]+)` \\| (\\w+)");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (gatehouse_[a-z_]+) (\\w+)$");

  @Test
  void theTableIsWhatIsExported() throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    AgentMetrics metrics = new AgentMetrics(registry);
    metrics.meterDrops(kind -> 0);
    metrics.syncAge(() -> Double.NaN);
    metrics.certificateExpiry(() -> Double.NaN);
    var unused = new HostServiceMetrics(registry);
    PathStatus path =
        new PathStatus(IpAddress.parse("172.16.2.1"), PathVerdict.unknown(1_500), Instant.EPOCH);
    new PathMetrics(registry).pathsChanged(new TreeMap<>(Map.of(new DpuName("dpu2"), path)));
    metrics.proofAge(() -> Double.NaN);
    metrics.health(Health.UNKNOWN);
    metrics.applied(1);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ReadinessCheck check = new ReadinessCheck("applied", Optional::empty);
    try (ObserveEndpoint endpoint = ObserveEndpoint.start(anyPort, registry, List.of(check))) {
      assertThat(endpoint.address().getPort()).isPositive();
      Set<String> exported = found(TYPE, registry.scrape());
      // Micrometer exports the maximum of a histogram as a gauge of its own.
      exported.removeIf(name -> name.endsWith("_max gauge"));
      Set<String> documented = found(ROW, section("### Both programs") + section("### Agent"));
      assertThat(documented).isEqualTo(exported);
    }
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1) + " " + match.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The part below a heading of the chapter on metrics. */
  private static String section(String heading) throws IOException {
    String text = Files.readString(Path.of("../docs/operations.md"));
    String metrics = text.substring(text.indexOf("\n## Metrics\n"));
    String below = metrics.substring(metrics.indexOf(heading) + heading.length());
    int next = below.indexOf("\n#");
    return next < 0 ? below : below.substring(0, next);
  }
}
