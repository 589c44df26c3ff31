package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of the control plane's metrics in docs/operations.md is what it exports. */
final class MetricsReferenceTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(gatehouse_[a-z_]+)` \\| (\\w+)");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (gatehouse_[a-z_]+) (\\w+)$");

  @TempDir Path directory = Path.of("");

  @Test
  void theTableIsWhatIsExported() throws Exception {
    TestPki pki = new TestPki(directory);
    try (TestControlPlane controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server())) {
      Set<String> exported = found(TYPE, controlPlane.metrics());
      // Micrometer exports the maximum of a histogram as a gauge of its own.
      exported.removeIf(name -> name.endsWith("_max gauge"));
      assertThat(found(ROW, section("### Control plane"))).isEqualTo(exported);
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
