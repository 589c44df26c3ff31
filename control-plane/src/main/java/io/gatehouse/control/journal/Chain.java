package io.gatehouse.control.journal;

import com.google.protobuf.ByteString;
import java.util.List;

/** A table whose rows are chained by hash, as the audit reads it. From any thread; blocks. */
public interface Chain {
  /**
   * A row as it is stored, right or wrong.
   *
   * @param seq from 1
   * @param previousHash of the row before, 32 bytes
   * @param hash of this row, 32 bytes
   */
  record Row(long seq, ByteString previousHash, ByteString hash, ByteString payload) {}

  /**
   * What a check of every row found.
   *
   * @param intactRows that are as they were written, from the first on
   * @param headHash of the last of them; 32 zero bytes if there is none
   * @param problem the first row that is not, as {@code row 17: …}; empty if all are
   */
  record Check(long intactRows, ByteString headHash, String problem) {}

  /**
   * Rows behind a number, in order, not verified.
   *
   * @throws JournalException if the storage cannot be reached
   */
  List<Row> rows(long after, int limit);

  /**
   * Reads every row and checks it against the one before, and the last one against the head.
   *
   * @throws JournalException if the storage cannot be reached
   */
  Check check();
}
