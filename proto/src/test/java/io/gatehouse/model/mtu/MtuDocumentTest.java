package io.gatehouse.model.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The numbers of docs/mtu.md are those of the engine. */
class MtuDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "mtu.md");

  @Test
  void theTableOfStacksIsComputedAnew() throws IOException {
    StringBuilder table = new StringBuilder();
    Stacks.all()
        .forEach(
            (name, stack) ->
                table.append(
                    "| %s | %d | %d | %d | %d | %d |%n"
                        .formatted(
                            name,
                            stack.largestInnerBytes(1_500),
                            stack.largestInnerBytes(4_200),
                            stack.largestInnerBytes(9_000),
                            stack.neededUnderlayBytes(1_500),
                            stack.neededUnderlayBytes(9_000))));
    assertThat(Files.readString(DOCUMENT)).contains(table);
  }

  @Test
  void theTableOfRdmaStepsIsComputedAnew() throws IOException {
    StringBuilder table = new StringBuilder();
    for (int step = 4_096; step >= 256; step /= 2) {
      int mtu = RdmaMtu.neededBytes(step);
      table.append("| %d | %d |".formatted(step, mtu));
      Stacks.all().entrySet().stream()
          .filter(entry -> !entry.getKey().contains(","))
          .forEach(
              entry -> table.append(" %d |".formatted(entry.getValue().neededUnderlayBytes(mtu))));
      table.append("\n");
    }
    assertThat(Files.readString(DOCUMENT)).contains(table);
  }
}
