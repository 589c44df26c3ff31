package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each claim of the threat model names tests that are there. */
final class SecurityClaimsTest {
  private static final String DOCUMENT = "SECURITY.md";
  private static final Pattern SHOWN = Pattern.compile("\\[(\\w+)\\.(\\w+)\\]\\(([^)]+\\.java)\\)");
  private static final List<String> ATTACKERS =
      List.of(
          "### A hostile tenant VM",
          "### A hostile DPU",
          "### A hostile operator of one tenant",
          "### A stolen or edited database",
          "### A man in the middle");

  @Test
  void everyClaimIsShownByATestThatIsThere() throws IOException {
    for (String attacker : ATTACKERS) {
      List<String> claims =
          Repository.section(DOCUMENT, attacker)
              .lines()
              .filter(line -> line.startsWith("| "))
              .filter(line -> !line.endsWith("| Shown by |"))
              .toList();
      assertThat(claims).as(attacker).hasSizeGreaterThan(2);
      for (String claim : claims) {
        List<MatchResult> tests = SHOWN.matcher(claim).results().toList();
        assertThat(tests).as(claim).isNotEmpty();
        for (MatchResult test : tests) {
          assertThat(test.group(3)).as(claim).endsWith("/" + test.group(1) + ".java");
          assertThat(Repository.text(test.group(3)))
              .as(claim)
              .containsPattern(
                  "(?s)@(Test|ParameterizedTest).{0,4000}void " + test.group(2) + "\\(");
        }
      }
    }
  }
}
