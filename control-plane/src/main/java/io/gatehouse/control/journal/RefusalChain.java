package io.gatehouse.control.journal;

import io.gatehouse.proto.storage.v1.RefusalEntry;
import java.util.List;

/**
 * The chain of refused calls. Several processes append to it; each entry gets its place when it is
 * written. From any thread; blocks.
 */
public final class RefusalChain implements Chain {
  private static final int TRIES = 100;

  private final SqlJournal database;

  RefusalChain(SqlJournal database) {
    this.database = database;
  }

  /**
   * Appends entries, all or none.
   *
   * @throws JournalException if the storage failed; they may or may not be there
   */
  public void append(List<RefusalEntry> entries) {
    List<byte[]> payloads = entries.stream().map(RefusalEntry::toByteArray).toList();
    for (int attempt = 0; attempt < TRIES; attempt++) {
      if (database.appendAnywhere(ChainRows.REFUSALS, payloads)) {
        return;
      }
    }
    throw new JournalException("other control planes were faster " + TRIES + " times");
  }

  @Override
  public List<Row> rows(long after, int limit) {
    return database.stored(ChainRows.REFUSALS, after, limit);
  }

  @Override
  public Check check() {
    return database.check(ChainRows.REFUSALS);
  }
}
