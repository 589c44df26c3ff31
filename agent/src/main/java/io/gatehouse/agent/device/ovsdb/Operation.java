package io.gatehouse.agent.device.ovsdb;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One step of a transaction (RFC 7047 §5.2). An empty {@code where} means every row of the table.
 * Immutable.
 */
public sealed interface Operation {

  /** Makes a row (§5.2.1). Other operations of the transaction refer to it by {@code uuidName}. */
  record Insert(String table, Optional<String> uuidName, Map<String, Value> row)
      implements Operation {
    public Insert {
      uuidName.ifPresent(name -> Value.Named.requireId("uuid-name", name));
      row = ordered(row);
    }

    public Insert(String table, String uuidName, Map<String, Value> row) {
      this(table, Optional.of(uuidName), row);
    }
  }

  /** Reads rows (§5.2.2); {@code _uuid} is always read. */
  record Select(String table, List<Condition> where, List<String> columns) implements Operation {
    public Select {
      where = List.copyOf(where);
      columns = List.copyOf(columns);
    }
  }

  /** Replaces columns (§5.2.3). */
  record Update(String table, List<Condition> where, Map<String, Value> row) implements Operation {
    public Update {
      where = List.copyOf(where);
      row = ordered(row);
    }
  }

  /** Changes parts of columns (§5.2.4). */
  record Mutate(String table, List<Condition> where, List<Mutation> mutations)
      implements Operation {
    public Mutate {
      where = List.copyOf(where);
      mutations = List.copyOf(mutations);
    }
  }

  /** Removes rows (§5.2.5). */
  record Delete(String table, List<Condition> where) implements Operation {
    public Delete {
      where = List.copyOf(where);
    }
  }

  /**
   * Fails the transaction at once unless the rows that match are (or are not) these (§5.2.6, with
   * the timeout 0: an assertion, never a wait).
   */
  record Wait(
      String table,
      List<Condition> where,
      Until until,
      List<String> columns,
      List<Map<String, Value>> rows)
      implements Operation {
    public Wait {
      where = List.copyOf(where);
      columns = List.copyOf(columns);
      rows = rows.stream().map(Operation::ordered).toList();
    }
  }

  /** Words for the server's log (§5.2.9). */
  record Comment(String text) implements Operation {}

  /** What a {@link Wait} asks of its rows. */
  enum Until {
    EQUAL("=="),
    NOT_EQUAL("!=");

    final String wire;

    Until(String wire) {
      this.wire = wire;
    }
  }

  /** Which rows (§5.1, {@code <condition>}). */
  record Condition(String column, Comparison comparison, Value value) {
    public static Condition is(String column, Value value) {
      return new Condition(column, Comparison.EQUAL, value);
    }

    public static Condition row(Uuid uuid) {
      return is("_uuid", Value.of(uuid));
    }
  }

  /** How a {@link Condition} compares (§5.1, {@code <function>}). */
  enum Comparison {
    LESS("<"),
    LESS_OR_EQUAL("<="),
    EQUAL("=="),
    NOT_EQUAL("!="),
    GREATER_OR_EQUAL(">="),
    GREATER(">"),
    INCLUDES("includes"),
    EXCLUDES("excludes");

    final String wire;

    Comparison(String wire) {
      this.wire = wire;
    }
  }

  /** A change of one column (§5.1, {@code <mutation>}). */
  record Mutation(String column, Mutator mutator, Value value) {
    public static Mutation add(String column, long number) {
      return new Mutation(column, Mutator.ADD, Value.of(number));
    }

    /** Adds atoms or pairs. A pair whose key is there already changes nothing. */
    public static Mutation insert(String column, Value value) {
      return new Mutation(column, Mutator.INSERT, value);
    }

    /** Removes atoms, pairs, or (given a set) the pairs of a map that have these keys. */
    public static Mutation delete(String column, Value value) {
      return new Mutation(column, Mutator.DELETE, value);
    }
  }

  /** How a {@link Mutation} changes (§5.1, {@code <mutator>}). */
  enum Mutator {
    ADD("+="),
    SUBTRACT("-="),
    INSERT("insert"),
    DELETE("delete");

    final String wire;

    Mutator(String wire) {
      this.wire = wire;
    }
  }

  private static Map<String, Value> ordered(Map<String, Value> row) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(row));
  }
}
