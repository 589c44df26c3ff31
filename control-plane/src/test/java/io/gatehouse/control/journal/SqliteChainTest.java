package io.gatehouse.control.journal;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteChainTest extends ChainContract {
  @TempDir private Path folder = Path.of("");

  @Override
  String newDatabase() {
    return "jdbc:sqlite:" + folder.resolve("journal.db");
  }

  @Override
  String bytes(String hex) {
    return "x'" + hex + "'";
  }
}
