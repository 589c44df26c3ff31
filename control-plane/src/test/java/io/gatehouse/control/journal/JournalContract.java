package io.gatehouse.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.LimitPath;
import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.ImageAssertions;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a journal does, on any engine. */
abstract class JournalContract {
  private static final int SNAPSHOT_EVERY = 40;

  private final List<SqlJournal> opened = new ArrayList<>();
  private String url = "";

  /** JDBC URL of a new, empty database. */
  abstract String newDatabase();

  @BeforeEach
  void makeDatabase() {
    url = newDatabase();
  }

  @AfterEach
  void close() {
    opened.forEach(SqlJournal::close);
  }

  @Test
  void aNewJournalIsEmpty() {
    assertThat(open().load().revision()).isZero();
    assertThat(open().load().revision()).as("opened again").isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void aReplayGivesTheSameImage(long seed) throws ConflictException {
    World world = new World().grow(seed, 300);
    SqlJournal journal = open();
    journal.load();
    appendInBatches(journal, world.entries(), 7);
    ImageAssertions.assertSame(open().load(), world.image(), "seed " + seed);
    assertThat(journal.readAfter(0, 1_000)).isEqualTo(world.entries());
  }

  @Test
  void aSnapshotAndTheTailGiveTheSameImage() throws Exception {
    World world = new World().grow(23, 600);
    writeWithSnapshots(world.entries());
    assertThat(query("SELECT count(*) FROM snapshots")).isEqualTo(2);
    long snapshot = query("SELECT max(seq) FROM snapshots");
    assertThat(snapshot).isBetween(world.image().revision() - 2 * SNAPSHOT_EVERY, Long.MAX_VALUE);
    ImageAssertions.assertSame(open().load(), world.image(), "snapshot of " + snapshot);
  }

  @Test
  void aLimitOfPathsComesBackFromRowsAndFromASnapshot() throws Exception {
    World world = new World().tenant("tenants/limited");
    String network = "tenants/limited/networks/n";
    world.dpu("dpus/a", "192.0.2.1", 1_500).dpu("dpus/b", "192.0.2.2", 1_500);
    world.network(network, "10.0.0.0/24");
    world.port(network + "/ports/a", "dpus/a", 0).port(network + "/ports/b", "dpus/b", 0);
    NetworkName name = NetworkName.parse(network);
    NarrowPath path = new NarrowPath(new DpuName("a"), new DpuName("b"), 1_400);
    world.run(new LimitPath(world.request(), name, List.of(path)));
    PathLimit limit = world.image().network(name).orElseThrow().pathLimit().orElseThrow();
    writeWithSnapshots(world.entries());
    assertThat(open().load().network(name).orElseThrow().pathLimit()).contains(limit);
    List<Entry> more = new ArrayList<>();
    for (int i = 0; i < SNAPSHOT_EVERY; i++) {
      world.tenant("tenants/t" + i);
      more.add(world.entries().get(world.entries().size() - 1));
    }
    writeWithSnapshots(more);
    assertThat(query("SELECT max(seq) FROM snapshots")).isGreaterThan(0);
    execute("DELETE FROM journal WHERE seq < (SELECT max(seq) FROM snapshots)");
    assertThat(open().load().network(name).orElseThrow().pathLimit()).contains(limit);
  }

  @Test
  void theRowsBeforeASnapshotAreNotNeededAtStart() throws Exception {
    World world = new World().grow(24, 300);
    writeWithSnapshots(world.entries());
    execute("DELETE FROM journal WHERE seq < (SELECT min(seq) FROM snapshots)");
    ImageAssertions.assertSame(open().load(), world.image(), "compacted");
  }

  @Test
  void aWholeVerificationNamesWhatAStartSkips() throws Exception {
    World world = new World().grow(24, 800);
    writeWithSnapshots(world.entries());
    SqlJournal journal = open();
    assertThat(journal.verify()).isEqualTo(world.image().revision());
    execute("UPDATE journal SET payload = " + bytes("0a0161") + " WHERE seq = 5");
    journal.load();
    assertThatThrownBy(journal::verify)
        .isInstanceOf(JournalCorruptException.class)
        .hasMessageStartingWith("journal row 5 was changed after it was written");
  }

  @Test
  void aDamagedSnapshotIsNotUsed() throws Exception {
    World world = new World().grow(25, 400);
    writeWithSnapshots(world.entries());
    execute("UPDATE snapshots SET payload = " + bytes("00"));
    ImageAssertions.assertSame(open().load(), world.image(), "replayed from the start");
  }

  @Test
  void whoIsSecondReadsAndTriesAgain() throws Exception {
    List<Entry> entries = new World().grow(26, 300).entries();
    SqlJournal first = open();
    SqlJournal second = open();
    first.load();
    second.load();
    first.append(entries.subList(0, 3));
    assertThatThrownBy(() -> second.append(entries.subList(0, 1)))
        .isInstanceOf(ConflictException.class);
    assertThat(second.readNew(2)).isEqualTo(entries.subList(0, 2));
    assertThat(second.readNew(100)).isEqualTo(entries.subList(2, 3));
    assertThat(second.readNew(100)).isEmpty();
    second.append(entries.subList(3, 5));
    assertThat(first.readNew(100)).isEqualTo(entries.subList(3, 5));
  }

  @Test
  void aGapIsNotAppended() {
    List<Entry> entries = new World().grow(27, 300).entries();
    SqlJournal journal = open();
    journal.load();
    assertThatThrownBy(() -> journal.append(List.of(entries.get(0), entries.get(2))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(journal.readAfter(0, 10)).isEmpty();
  }

  @Test
  void aChangedRowIsNamed() throws Exception {
    write(30);
    execute("UPDATE journal SET payload = " + bytes("0a0161") + " WHERE seq = 17");
    refused(17, "journal row 17 was changed after it was written");
  }

  @Test
  void aChangedHashIsNamed() throws Exception {
    write(30);
    execute("UPDATE journal SET prev_hash = " + bytes("00".repeat(32)) + " WHERE seq = 17");
    refused(17, "journal row 17 does not follow row 16: the chain of hashes is broken");
  }

  @Test
  void aMissingRowIsNamed() throws Exception {
    write(30);
    execute("DELETE FROM journal WHERE seq = 17");
    refused(17, "journal row 17 is missing: row 18 follows row 16");
  }

  @Test
  void aCutTailIsNamed() throws Exception {
    write(30);
    execute("DELETE FROM journal WHERE seq > 27");
    refused(28, "journal rows 28..30 are missing: the tail is cut off");
  }

  @Test
  void aHalfWrittenTailIsNamed() throws Exception {
    write(30);
    execute(
        "UPDATE journal_head SET seq = 29,"
            + " hash = (SELECT hash FROM journal WHERE seq = 29) WHERE id = 1");
    refused(30, "journal row 30 is behind the head, 29: the tail is half written");
  }

  @Test
  void anotherHeadIsNamed() throws Exception {
    write(30);
    execute("UPDATE journal_head SET hash = " + bytes("00".repeat(32)));
    refused(30, "journal row 30 is not the one that the head names");
  }

  @Test
  void aRowThatThisVersionCannotReadIsNamed() throws Exception {
    write(30);
    execute("DELETE FROM journal WHERE seq < 30");
    execute("DELETE FROM journal_head");
    byte[] payload = {0x7f};
    JournalHead head = JournalHead.start().next(payload);
    String hash = java.util.HexFormat.of().formatHex(head.hash());
    execute("DELETE FROM journal");
    execute(
        "INSERT INTO journal (seq, prev_hash, hash, payload) VALUES (1, "
            + bytes("00".repeat(32))
            + ", "
            + bytes(hash)
            + ", "
            + bytes("7f")
            + ")");
    execute("INSERT INTO journal_head (id, seq, hash) VALUES (1, 1, " + bytes(hash) + ")");
    refused(1, "journal row 1 cannot be read by this version");
  }

  @Test
  void aJournalThatIsReplacedUnderItsReaderIsNoticed() throws Exception {
    SqlJournal journal = write(30);
    execute("DELETE FROM journal WHERE seq > 20");
    execute(
        "UPDATE journal_head SET seq = 20,"
            + " hash = (SELECT hash FROM journal WHERE seq = 20) WHERE id = 1");
    assertThatThrownBy(() -> journal.readNew(10))
        .isInstanceOf(JournalCorruptException.class)
        .hasMessageContaining("it ends at row 20, and row 30 was read from it");
  }

  @Test
  void tablesOfANewerVersionAreRefused() throws Exception {
    write(1);
    execute("UPDATE schema_version SET version = 99");
    SqlJournal journal = open();
    assertThatThrownBy(journal::load)
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("version 99");
  }

  final SqlJournal open() {
    SqlJournal journal = SqlJournal.open(JournalConfig.of(url).withSnapshotEvery(SNAPSHOT_EVERY));
    opened.add(journal);
    return journal;
  }

  /** Hexadecimal bytes as a literal of the engine. */
  abstract String bytes(String hex);

  private SqlJournal write(int count) throws ConflictException {
    SqlJournal journal = open();
    journal.load();
    journal.append(new World().grow(29, 800).entries().subList(0, count));
    return journal;
  }

  private void writeWithSnapshots(List<Entry> entries) throws ConflictException {
    SqlJournal journal = open();
    Image image = journal.load();
    for (Entry entry : entries) {
      journal.append(List.of(entry));
      image = image.apply(entry);
      journal.offerSnapshot(image);
    }
    journal.close();
  }

  private static void appendInBatches(SqlJournal journal, List<Entry> entries, int size)
      throws ConflictException {
    for (int from = 0; from < entries.size(); from += size) {
      journal.append(entries.subList(from, Math.min(from + size, entries.size())));
    }
  }

  private void refused(long seq, String message) {
    SqlJournal journal = open();
    assertThatThrownBy(journal::load)
        .isInstanceOfSatisfying(
            JournalCorruptException.class, e -> assertThat(e.seq()).isEqualTo(seq))
        .hasMessageStartingWith(message);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long query(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }
}
