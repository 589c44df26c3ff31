package io.gatehouse.control.journal;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import java.util.List;

/**
 * The durable sequence of entries. Methods block on storage; those that write are for the
 * sequencer's thread, those that read for any thread. Several processes may use one journal.
 */
public interface Journal extends AutoCloseable {
  /** Rows that {@link #verify} reads at a time. */
  int VERIFIED_PAGE = 500;

  /**
   * Builds the image from the newest valid snapshot and the entries after it, all verified.
   *
   * @throws JournalCorruptException if the chain is broken, cut or changed; names the row
   * @throws JournalException if the storage cannot be reached
   */
  Image load();

  /**
   * Appends entries in one transaction: all of them or none.
   *
   * @param entries contiguous revisions; the first follows the newest entry that this journal has
   *     loaded, read or appended
   * @throws ConflictException if somebody else has appended meanwhile: read, and decide again
   * @throws JournalException if the storage failed; the entries may or may not be there
   */
  void append(List<Entry> entries) throws ConflictException;

  /**
   * Entries after the newest one that this journal has loaded, read or appended, verified against
   * the chain; empty if there are none.
   */
  List<Entry> readNew(int limit);

  /**
   * Entries with a revision above the given one, in order, verified against each other. For readers
   * of the past: independent of {@link #readNew}.
   *
   * @param limit most entries, 1 or more
   */
  List<Entry> readAfter(long revision, int limit);

  /**
   * Reads the whole journal, in pages, and checks every row, also those that a start skips because
   * a snapshot stands for them. Slow, and harmless to those who append.
   *
   * @return the newest revision that was checked
   * @throws JournalCorruptException that names the first row that is wrong
   */
  default long verify() {
    long revision = 0;
    List<Entry> page;
    do {
      page = readAfter(revision, VERIFIED_PAGE);
      revision += page.size();
    } while (!page.isEmpty());
    return revision;
  }

  /**
   * Says what to run, on any thread, when somebody may have appended. Only a wake-up, which may
   * come late, twice or never: reading decides.
   */
  void onChange(Runnable wakeUp);

  /**
   * Offers an image for a snapshot, written on another thread when one is due.
   *
   * @param image at the newest revision that this journal has loaded, read or appended
   */
  void offerSnapshot(Image image);

  @Override
  void close();
}
