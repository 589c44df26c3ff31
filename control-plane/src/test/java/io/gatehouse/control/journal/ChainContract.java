package io.gatehouse.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.gatehouse.control.World;
import io.gatehouse.proto.storage.v1.RefusalEntry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the audit finds in a database that somebody has edited, on any engine. */
abstract class ChainContract {
  private final List<SqlJournal> opened = new ArrayList<>();
  private String url = "";

  /** JDBC URL of a new, empty database. */
  abstract String newDatabase();

  /** Bytes as the engine's SQL writes them. */
  abstract String bytes(String hex);

  @BeforeEach
  void fill() throws ConflictException {
    url = newDatabase();
    SqlJournal journal = open();
    journal.append(new World().grow(7, 300).entries().subList(0, 12));
    journal.refusals().append(refusals(0, 12));
  }

  @AfterEach
  void close() {
    opened.forEach(SqlJournal::close);
  }

  @Test
  void whatWasWrittenIsWhole() {
    for (Chain chain : chains()) {
      Chain.Check check = chain.check();
      assertThat(check.problem()).isEmpty();
      assertThat(check.intactRows()).isEqualTo(12);
      assertThat(check.headHash()).isEqualTo(chain.rows(11, 1).get(0).hash());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "journal  | 0 | UPDATE journal SET payload = ? WHERE seq = 5                        | 5",
        "journal  | 0 | UPDATE journal SET hash = ? WHERE seq = 5                           | 5",
        "journal  | 0 | UPDATE journal SET prev_hash = ? WHERE seq = 5                      | 5",
        "journal  | 0 | DELETE FROM journal WHERE seq = 1                                   | 1",
        "journal  | 0 | DELETE FROM journal WHERE seq = 7                                   | 7",
        "journal  | 0 | DELETE FROM journal WHERE seq > 9                                   | 10",
        "journal  | 0 | UPDATE journal_head SET seq = 11                                    | 12",
        "journal  | 0 | UPDATE journal_head SET hash = ?                                    | 12",
        "refusals | 1 | UPDATE refusals SET payload = ? WHERE seq = 5                       | 5",
        "refusals | 1 | DELETE FROM refusals WHERE seq = 1                                  | 1",
        "refusals | 1 | DELETE FROM refusals WHERE seq = 12                                 | 12",
        "refusals | 1 | DELETE FROM refusals                                                | 1",
        "refusals | 1 | UPDATE refusals SET seq = 13 WHERE seq = 12                         | 12",
      })
  void theFirstWrongRowIsNamed(String table, int chain, String edit, long row) throws Exception {
    execute(edit.replace("?", bytes("0a0161")));
    Chain.Check check = chains().get(chain).check();
    assertThat(check.problem()).startsWith("row " + row + ": " + table + " row");
    assertThat(check.intactRows()).isEqualTo(row - 1);
    assertThat(check.problem()).doesNotContain("does not start");
    assertThat(chains().get(1 - chain).check().problem()).isEmpty();
  }

  @Test
  void aRowThatWasChainedAnewBreaksTheNextOne() throws Exception {
    Chain.Row fourth = chains().get(1).rows(3, 1).get(0);
    byte[] payload = refusals(99, 1).get(0).toByteArray();
    byte[] hash = HashChain.next(fourth.hash().toByteArray(), 5, payload);
    execute(
        "UPDATE refusals SET payload = %s, hash = %s WHERE seq = 5"
            .formatted(bytes(hex(payload)), bytes(hex(hash))));
    assertThat(chains().get(1).check().problem())
        .startsWith("row 6: refusals row 6 does not follow row 5");
  }

  @Test
  void twoControlPlanesAppendToOneChain() {
    List<CompletableFuture<Void>> writers =
        IntStream.range(0, writers())
            .mapToObj(
                writer -> {
                  RefusalChain chain = open().refusals();
                  return CompletableFuture.runAsync(
                      () -> {
                        for (int i = 0; i < 20; i++) {
                          chain.append(refusals(writer * 100 + i, 2));
                        }
                      });
                })
            .toList();
    writers.forEach(CompletableFuture::join);
    Chain.Check check = chains().get(1).check();
    assertThat(check.problem()).isEmpty();
    assertThat(check.intactRows()).isEqualTo(12 + writers() * 40L);
  }

  /** How many processes may use the engine at a time. */
  int writers() {
    return 2;
  }

  private static List<RefusalEntry> refusals(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(
            i ->
                RefusalEntry.newBuilder()
                    .setActor("operators/nobody" + i)
                    .setAction("gatehouse.v1.TenantService/GetTenant")
                    .setCode("PERMISSION_DENIED")
                    .setCount(1)
                    .build())
        .toList();
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(ByteString.copyFrom(bytes).toByteArray());
  }

  private List<Chain> chains() {
    SqlJournal journal = opened.get(0);
    return List.of(journal, journal.refusals());
  }

  private SqlJournal open() {
    SqlJournal journal = SqlJournal.open(JournalConfig.of(url));
    opened.add(journal);
    journal.load();
    return journal;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).as(sql).isPositive();
    }
  }
}
