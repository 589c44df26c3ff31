package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link between documents and into the sources leads somewhere. */
final class DocumentLinksTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("https?://.*|mailto:.*|#.*");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\\n]*`");

  @Test
  void everyRelativeLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : Repository.documents()) {
      for (String link : links(Files.readString(document))) {
        Path target = document.resolveSibling(link.replaceFirst("#.*", "")).normalize();
        if (link.startsWith("/") || !Files.exists(target)) {
          broken.add(Repository.name(document) + " -> " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyFeatureOfTheIndexHasATest() throws IOException {
    List<String> rows =
        Repository.section("README.md", "## Where is what")
            .lines()
            .filter(line -> line.startsWith("| "))
            .filter(line -> !line.startsWith("| Feature"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(20);
    for (String row : rows) {
      String tests = row.substring(row.lastIndexOf("|", row.length() - 2));
      assertThat(links(tests)).as("tests of: %s", row).isNotEmpty();
      assertThat(links(tests)).allMatch(link -> link.matches(".*(Test|IT|Contract)\\.java"));
      assertThat(links(row)).as(row).hasSizeGreaterThan(1);
    }
  }

  @Test
  void everyDecisionIsInItsIndex() throws IOException {
    String index = Repository.text("docs/decisions/README.md");
    for (Path document : Repository.documents()) {
      String name = String.valueOf(document.getFileName());
      if (name.matches("\\d{4}-.*")) {
        assertThat(index).contains("(" + name + ")");
      }
    }
  }

  private static List<String> links(String text) {
    return LINK.matcher(CODE.matcher(text).replaceAll(""))
        .results()
        .map((MatchResult match) -> match.group(1))
        .filter(link -> !ELSEWHERE.matcher(link).matches())
        .toList();
  }
}
