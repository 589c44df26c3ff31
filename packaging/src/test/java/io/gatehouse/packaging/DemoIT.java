package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The demo as a new user runs it, in a lab of its own beside the tests'. */
final class DemoIT {
  private static final Path PACKAGING = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final Map<String, String> ENVIRONMENT = Map.of("GATEHOUSE_LAB_NAME", "ghdemo");

  @AfterEach
  void nothingStays() {
    assertThat(demo("down").expectSuccess()).containsAnyOf("is gone", "No lab");
    assertThat(demo("down").expectSuccess()).contains("No lab 'ghdemo' is here");
  }

  @Test
  void allIsAsClaimedAndItCanBeRepeated() throws Exception {
    // This very build has just made the class path: the demo need not build once more.
    Files.writeString(PACKAGING.resolve("target/built"), "");
    for (int run = 1; run <= 2; run++) {
      assertThat(demo().expectSuccess())
          .contains("built already", "3 of 3 DPUs are current", "All as claimed", "explain")
          .doesNotContain("✗");
    }
    assertThat(demo("--wrong").status()).isEqualTo(2);
  }

  private static CommandResult demo(String... arguments) {
    return CommandResult.of(
        ENVIRONMENT, CommandLines.join(List.of(PACKAGING.resolve("demo").toString()), arguments));
  }
}
