package io.gatehouse.control.sequencer;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.ConflictException;
import io.gatehouse.control.journal.Journal;
import io.gatehouse.control.journal.JournalException;
import java.util.List;

/** A journal whose storage fails when it is told to. */
final class FaultyJournal implements Journal {
  /** How it fails. */
  enum Fault {
    NONE,
    /** Nothing reaches the storage. */
    BEFORE,
    /** The storage commits, and the answer is lost. */
    AFTER
  }

  private final Journal real;
  private final Journal behindItsBack;
  private volatile Fault fault = Fault.NONE;
  private volatile boolean broken;

  /**
   * A journal without a fault.
   *
   * @param behindItsBack another journal on the same storage, loaded
   */
  FaultyJournal(Journal real, Journal behindItsBack) {
    this.real = real;
    this.behindItsBack = behindItsBack;
  }

  void fail(Fault next) {
    fault = next;
    broken = next == Fault.BEFORE;
  }

  @Override
  public Image load() {
    return real.load();
  }

  @Override
  public void append(List<Entry> entries) throws ConflictException {
    if (fault == Fault.AFTER && !broken) {
      broken = true;
      int read = behindItsBack.readNew(Integer.MAX_VALUE).size();
      behindItsBack.append(entries);
      throw new JournalException("lost after " + read, new IllegalStateException());
    }
    check();
    real.append(entries);
  }

  @Override
  public List<Entry> readNew(int limit) {
    check();
    return real.readNew(limit);
  }

  @Override
  public List<Entry> readAfter(long revision, int limit) {
    check();
    return real.readAfter(revision, limit);
  }

  @Override
  public void onChange(Runnable wakeUp) {
    real.onChange(wakeUp);
  }

  @Override
  public void offerSnapshot(Image image) {
    real.offerSnapshot(image);
  }

  @Override
  public void close() {
    real.close();
  }

  private void check() {
    if (broken) {
      throw new JournalException("no storage", new IllegalStateException());
    }
  }
}
