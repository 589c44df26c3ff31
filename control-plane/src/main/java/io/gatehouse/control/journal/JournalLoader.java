package io.gatehouse.control.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.SnapshotRows.Stored;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the image at start: the newest valid snapshot, and every row after it, verified. */
final class JournalLoader {
  private static final Logger LOG = LoggerFactory.getLogger(JournalLoader.class);

  /**
   * What a start begins with.
   *
   * @param snapshotSeq of the snapshot that was used, 0 if none was
   */
  record Loaded(Image image, JournalHead head, long snapshotSeq) {}

  private final Connection connection;
  private Image image = Image.EMPTY;

  /**
   * A loader.
   *
   * @param connection in a transaction that sees one state of the database throughout
   */
  JournalLoader(Connection connection) {
    this.connection = connection;
  }

  Loaded load() throws SQLException {
    JournalHead end = ChainRows.JOURNAL.head(connection);
    JournalHead start = startFromSnapshot(end);
    JournalHead at =
        ChainRows.JOURNAL.read(
            connection,
            start,
            0,
            (seq, payload) -> image = image.apply(EntryCodec.decode(seq, payload)));
    ChainRows.JOURNAL.checkEnd(at, end);
    LOG.info("journal loaded: revision {}, snapshot of {}", at.seq(), start.seq());
    return new Loaded(image, at, start.seq());
  }

  /** Takes the newest snapshot that is whole and fits the journal; without one, the start. */
  private JournalHead startFromSnapshot(JournalHead end) throws SQLException {
    for (long seq : SnapshotRows.newestFirst(connection)) {
      Optional<Stored> stored = SnapshotRows.find(connection, seq);
      if (stored.isPresent() && seq <= end.seq() && fits(stored.get())) {
        try {
          image = decoded(stored.get());
          return stored.get().at();
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
          LOG.warn("snapshot of revision {} is not used: {}", seq, e.getMessage());
        }
      }
    }
    return JournalHead.start();
  }

  private boolean fits(Stored snapshot) throws SQLException {
    long seq = snapshot.at().seq();
    if (!Arrays.equals(HashChain.checksum(snapshot.payload()), snapshot.checksum())) {
      LOG.warn("snapshot of revision {} is not used: its checksum is wrong", seq);
      return false;
    }
    Optional<byte[]> hash = ChainRows.JOURNAL.hashOf(connection, seq);
    if (hash.isEmpty() || !Arrays.equals(hash.get(), snapshot.at().hash())) {
      LOG.warn("snapshot of revision {} is not used: it is of another journal", seq);
      return false;
    }
    return true;
  }

  private static Image decoded(Stored snapshot) throws InvalidProtocolBufferException {
    Image decoded = SnapshotCodec.decode(snapshot.payload());
    if (decoded.revision() != snapshot.at().seq()) {
      throw new IllegalArgumentException("it says revision " + decoded.revision());
    }
    return decoded;
  }
}
