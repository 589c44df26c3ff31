package io.gatehouse.agent.device.ovsdb;

import java.util.List;

/**
 * What a committed transaction gave, one outcome for each operation in order (RFC 7047 §4.1.3).
 * Asking an operation for what its kind does not give is a bug of the caller.
 */
public record TransactionResult(List<Outcome> outcomes) {
  public TransactionResult {
    outcomes = List.copyOf(outcomes);
  }

  /** The result of one operation. */
  public sealed interface Outcome {}

  /** Of an insert: the new row. */
  public record Inserted(Uuid uuid) implements Outcome {}

  /** Of update, mutate, delete: how many rows matched. */
  public record Counted(long rows) implements Outcome {}

  /** Of a select. */
  public record Selected(List<Row> rows) implements Outcome {
    public Selected {
      rows = List.copyOf(rows);
    }
  }

  /** Of wait and comment. */
  public record Done() implements Outcome {}

  /** The row that the insert at this place of the transaction made. */
  public Uuid inserted(int operation) {
    return of(operation, Inserted.class).uuid();
  }

  /** How many rows the update, mutate or delete at this place matched. */
  public long count(int operation) {
    return of(operation, Counted.class).rows();
  }

  /** What the select at this place read. */
  public List<Row> rows(int operation) {
    return of(operation, Selected.class).rows();
  }

  private <T extends Outcome> T of(int operation, Class<T> type) {
    Outcome outcome = outcomes.get(operation);
    if (!type.isInstance(outcome)) {
      throw new IllegalArgumentException("operation " + operation + " gave " + outcome);
    }
    return type.cast(outcome);
  }
}
