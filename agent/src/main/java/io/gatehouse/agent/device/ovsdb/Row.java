package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table, with the columns that were asked for. Immutable. Each accessor fails with
 * {@link Kind#PROTOCOL} and names table and column when the column is absent or of another type.
 */
public record Row(String table, Uuid uuid, Map<String, Value> columns) {
  public Row {
    columns = Map.copyOf(columns);
  }

  public String string(String column) throws DeviceException {
    return one(column, "a string", Row::text);
  }

  public Optional<String> optionalString(String column) throws DeviceException {
    return optional(column, "an optional string", Row::text);
  }

  public long integer(String column) throws DeviceException {
    return one(column, "an integer", Row::whole);
  }

  public OptionalLong optionalInteger(String column) throws DeviceException {
    return optional(column, "an optional integer", Row::whole)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** A real number; ovsdb-server writes those without a fraction as integers. */
  public double real(String column) throws DeviceException {
    return one(column, "a real", Row::number);
  }

  public boolean flag(String column) throws DeviceException {
    return one(column, "a boolean", Row::truth);
  }

  public Optional<Boolean> optionalFlag(String column) throws DeviceException {
    return optional(column, "an optional boolean", Row::truth);
  }

  public Uuid uuid(String column) throws DeviceException {
    return one(column, "a uuid", Row::reference);
  }

  public Optional<Uuid> optionalUuid(String column) throws DeviceException {
    return optional(column, "an optional uuid", Row::reference);
  }

  public Set<Uuid> uuids(String column) throws DeviceException {
    return all(column, "a set of uuids", Row::reference);
  }

  public Set<String> strings(String column) throws DeviceException {
    return all(column, "a set of strings", Row::text);
  }

  public Set<Long> integers(String column) throws DeviceException {
    return all(column, "a set of integers", Row::whole);
  }

  public Map<String, String> stringMap(String column) throws DeviceException {
    return map(column, "a map of string to string", Row::text, Row::text);
  }

  /** Such as {@code Interface.statistics}. */
  public Map<String, Long> integerMap(String column) throws DeviceException {
    return map(column, "a map of string to integer", Row::text, Row::whole);
  }

  /** Such as {@code QoS.queues}. */
  public Map<Long, Uuid> uuidMap(String column) throws DeviceException {
    return map(column, "a map of integer to uuid", Row::whole, Row::reference);
  }

  /** The column as it came. */
  public Value value(String column) throws DeviceException {
    Value value = columns.get(column);
    if (value == null) {
      throw wrong(column, "is not there");
    }
    return value;
  }

  private static @Nullable String text(Value.Atom atom) {
    return atom instanceof Value.Text text ? text.value() : null;
  }

  private static @Nullable Long whole(Value.Atom atom) {
    return atom instanceof Value.Whole whole ? (Long) whole.value() : null;
  }

  private static @Nullable Double number(Value.Atom atom) {
    if (atom instanceof Value.Whole whole) {
      return (double) whole.value();
    }
    return atom instanceof Value.Real real ? (Double) real.value() : null;
  }

  private static @Nullable Boolean truth(Value.Atom atom) {
    return atom instanceof Value.Flag flag ? (Boolean) flag.value() : null;
  }

  private static @Nullable Uuid reference(Value.Atom atom) {
    return atom instanceof Uuid uuid ? uuid : null;
  }

  private <T> T one(String column, String type, Function<Value.Atom, @Nullable T> read)
      throws DeviceException {
    return optional(column, type, read).orElseThrow(() -> wrong(column, "is not " + type));
  }

  private <T> Optional<T> optional(
      String column, String type, Function<Value.Atom, @Nullable T> read) throws DeviceException {
    Set<T> all = all(column, type, read);
    if (all.size() > 1) {
      throw wrong(column, "is not " + type + " but has " + all.size() + " elements");
    }
    return all.stream().findFirst();
  }

  private <T> Set<T> all(String column, String type, Function<Value.Atom, @Nullable T> read)
      throws DeviceException {
    if (!(value(column) instanceof Value.SetOf set)) {
      throw wrong(column, "is not " + type + " but a map");
    }
    Set<T> all = new LinkedHashSet<>();
    for (Value.Atom atom : set.atoms()) {
      all.add(read(column, type, read, atom));
    }
    return Set.copyOf(all);
  }

  private <K, V> Map<K, V> map(
      String column,
      String type,
      Function<Value.Atom, @Nullable K> readKey,
      Function<Value.Atom, @Nullable V> readValue)
      throws DeviceException {
    if (!(value(column) instanceof Value.MapOf map)) {
      throw wrong(column, "is not " + type + " but a set or a single value");
    }
    Map<K, V> pairs = new LinkedHashMap<>();
    for (Map.Entry<Value.Atom, Value.Atom> pair : map.pairs().entrySet()) {
      pairs.put(
          read(column, type, readKey, pair.getKey()),
          read(column, type, readValue, pair.getValue()));
    }
    return Map.copyOf(pairs);
  }

  private <T> T read(
      String column, String type, Function<Value.Atom, @Nullable T> read, Value.Atom atom)
      throws DeviceException {
    T value = read.apply(atom);
    if (value == null) {
      throw wrong(
          column, "is not " + type + ": it has a " + atom.getClass().getSimpleName() + " in it");
    }
    return value;
  }

  private DeviceException wrong(String column, String reason) {
    return new DeviceException(
        Kind.PROTOCOL, table + "." + column + " of row " + uuid + " " + reason);
  }
}
