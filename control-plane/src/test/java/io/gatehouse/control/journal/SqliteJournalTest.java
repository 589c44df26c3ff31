package io.gatehouse.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteJournalTest extends JournalContract {
  @TempDir private Path folder = Path.of("");

  @Override
  String newDatabase() {
    return "jdbc:sqlite:" + folder.resolve(UUID.randomUUID() + ".db");
  }

  @Override
  String bytes(String hex) {
    return "x'" + hex + "'";
  }

  @Test
  void theFileIsPrivate() throws IOException {
    Path file = folder.resolve("private.db");
    try (SqlJournal journal = SqlJournal.open(JournalConfig.of("jdbc:sqlite:" + file))) {
      journal.load();
      for (String suffix : new String[] {"", "-wal"}) {
        assertThat(Files.getPosixFilePermissions(Path.of(file + suffix)))
            .as(suffix)
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    JournalConfig config = JournalConfig.of("jdbc:sqlite:" + folder.resolve("no/journal.db"));
    assertThatThrownBy(() -> SqlJournal.open(config))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("no/journal.db");
  }

  @Test
  void aFileThatIsNoDatabaseIsNamed() throws IOException {
    Path file = folder.resolve("text.db");
    Files.writeString(file, "this is no database, whatever its name may say");
    try (SqlJournal journal = SqlJournal.open(JournalConfig.of("jdbc:sqlite:" + file))) {
      assertThatThrownBy(journal::load)
          .isInstanceOf(JournalException.class)
          .hasMessageContaining("text.db");
    }
  }

  @Test
  void anUnknownEngineIsRefused() {
    assertThatThrownBy(() -> SqlJournal.open(JournalConfig.of("jdbc:h2:mem:x")))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void secretsDoNotShow() {
    JournalConfig config =
        new JournalConfig(
            "jdbc:postgresql://db/x?password=hush", "u", "hush", 1, JournalConfig.DEFAULT_TIMEOUT);
    assertThat(config.toString()).doesNotContain("hush");
  }
}
