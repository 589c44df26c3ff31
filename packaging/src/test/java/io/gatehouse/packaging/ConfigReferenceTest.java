package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.AgentConfig;
import io.gatehouse.control.ControlPlaneConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The tables of settings in docs/operations.md are complete, and their examples are accepted. What
 * a program reads is taken from its source: a key that is read stands there as a literal.
 */
final class ConfigReferenceTest {
  private static final String DOCUMENT = "docs/operations.md";
  private static final String AGENT = "agent/src/main/java/io/gatehouse/agent/";
  private static final String CONTROL = "control-plane/src/main/java/io/gatehouse/control/";
  private static final String RUNTIME = "proto/src/main/java/io/gatehouse/runtime/";

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9_.]+)` \\|");
  private static final Pattern WORD = Pattern.compile("(\\w+)");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");
  private static final Pattern READ =
      Pattern.compile(
          "\\.(?:text|integer|flag|choice|duration|path|value|list|map)\\(\\s*\"(\\w+)\"");

  @TempDir Path directory = Path.of("");

  @Test
  void theAgentsTableIsComplete() throws IOException {
    Set<String> read =
        keysRead(
            AGENT + "AgentConfig.java",
            AGENT + "SiteSettings.java",
            RUNTIME + "tls/TlsPaths.java",
            RUNTIME + "log/LogSettings.java",
            RUNTIME + "observe/ObserveSettings.java");
    check("### Agent", read);
    AgentConfig.read(example("### Agent"));
  }

  @Test
  void theControlPlanesTableIsComplete() throws IOException {
    check(
        "### Control plane",
        keysRead(CONTROL + "ControlPlaneConfig.java", CONTROL + "pki/PkiConfig.java"));
    Files.writeString(directory.resolve("db-password"), "secret");
    for (String example : examples("### Control plane")) {
      ControlPlaneConfig.read(
          Files.writeString(directory.resolve("control-plane.yaml"), example));
    }
  }

  /** Every key that is read has a row, every row is in an example, and nothing else is. */
  private void check(String heading, Set<String> read) throws IOException {
    Set<String> rows = found(ROW, Repository.section(DOCUMENT, heading));
    Set<String> words = found(WORD, String.join(" ", rows));
    assertThat(words).as("keys in %s of %s", heading, DOCUMENT).isEqualTo(read);
    Set<String> shown = new TreeSet<>();
    for (String example : examples(heading)) {
      Object tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(example);
      shown.addAll(keys("", tree));
    }
    assertThat(shown).isEqualTo(rows);
  }

  private static Set<String> keysRead(String... sources) throws IOException {
    Set<String> keys = new TreeSet<>();
    for (String source : sources) {
      keys.addAll(found(READ, Repository.text(source)));
    }
    return keys;
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> keys(String path, Object tree) {
    if (!(tree instanceof java.util.Map<?, ?> map)) {
      return Set.of(path);
    }
    Set<String> keys = new TreeSet<>();
    map.forEach(
        (key, value) -> keys.addAll(keys(path.isEmpty() ? "" + key : path + "." + key, value)));
    return keys;
  }

  private Path example(String heading) throws IOException {
    return Files.writeString(directory.resolve("example.yaml"), examples(heading).get(0));
  }

  private static List<String> examples(String heading) throws IOException {
    List<String> examples =
        EXAMPLE
            .matcher(Repository.section(DOCUMENT, heading))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(examples).as("examples below %s", heading).isNotEmpty();
    return examples;
  }
}
