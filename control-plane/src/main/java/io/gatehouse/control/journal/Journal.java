package io.gatehouse.control.journal;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import java.util.List;

/**
 * The durable sequence of entries. Methods block on storage; those that write are for the
 * sequencer's thread, those that read for any thread. Several processes may use one journal.
 */
public interface Journal extends AutoCloseable {

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
   * Entries with a revision above the given one, in order. For readers of the past: independent of
   * {@link #readNew}.
   */
  List<Entry> readAfter(long revision, int limit);

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
