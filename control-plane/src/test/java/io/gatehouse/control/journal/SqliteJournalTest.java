package io.gatehouse.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.World;
import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
          .isInstanceOf(JournalCorruptException.class)
          .hasMessageContaining("text.db is damaged")
          .hasMessageContaining("restore it from the newest backup");
    }
  }

  @Test
  void aFileThatIsCutOffIsNamed() throws Exception {
    Path file = folder.resolve("cut.db");
    JournalConfig config = JournalConfig.of("jdbc:sqlite:" + file);
    try (SqlJournal journal = SqlJournal.open(config)) {
      journal.load();
      journal.append(new World().grow(31, 800).entries());
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 2 * 4_096);
    }
    try (SqlJournal journal = SqlJournal.open(config)) {
      assertThatThrownBy(journal::load).isInstanceOf(JournalCorruptException.class);
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
