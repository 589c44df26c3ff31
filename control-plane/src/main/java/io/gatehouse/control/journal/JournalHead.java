package io.gatehouse.control.journal;

import java.util.Arrays;

/**
 * The newest row: where the chain ends.
 *
 * @param hash of that row; not to be changed
 */
// A record's array is compared by identity: hence matches() instead of equals().
@SuppressWarnings("ArrayRecordComponent")
record JournalHead(long seq, byte[] hash) {
  static JournalHead start() {
    return new JournalHead(0, HashChain.start());
  }

  boolean matches(JournalHead other) {
    return seq == other.seq && Arrays.equals(hash, other.hash);
  }

  JournalHead next(byte[] payload) {
    return new JournalHead(seq + 1, HashChain.next(hash, seq + 1, payload));
  }
}
