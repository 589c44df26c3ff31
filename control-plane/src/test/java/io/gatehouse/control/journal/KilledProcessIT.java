package io.gatehouse.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.PostgresServer;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.TenantName;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 at any moment loses no acknowledged change. */
class KilledProcessIT {
  private static final int ROUNDS = 4;

  @TempDir private Path folder = Path.of("");

  @Test
  void sqliteKeepsWhatWasAcknowledged() throws Exception {
    survives("jdbc:sqlite:" + folder.resolve("journal.db"));
  }

  @Test
  void postgresqlKeepsWhatWasAcknowledged() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      survives(server.newDatabase());
    }
  }

  private static void survives(String url) throws IOException, InterruptedException {
    List<String> acknowledged = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged.addAll(killed(url, "r" + round + "-", 100 + 77 * round));
      try (SqlJournal journal = SqlJournal.open(JournalConfig.of(url))) {
        Image image = journal.load();
        for (String line : acknowledged) {
          String[] parts = line.split(" ", 2);
          assertThat(Long.parseLong(parts[0])).isLessThanOrEqualTo(image.revision());
          assertThat(image.tenant(TenantName.parse(parts[1]))).as(line).isPresent();
        }
      }
    }
  }

  /** What the process printed before it was killed, after that many lines. */
  private static List<String> killed(String url, String prefix, int lines)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                AppendingProcess.class.getName(),
                url,
                prefix)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> printed = new ArrayList<>();
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.matches("\\d+ tenants/\\S+")) {
          printed.add(line);
        }
        if (printed.size() == lines) {
          // By its handle: the process itself would close the stream with what is still in it.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
    assertThat(printed).hasSizeGreaterThanOrEqualTo(lines);
    return printed;
  }
}
