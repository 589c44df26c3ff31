package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.model.net.InvalidValueException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a column holds (RFC 7047 §5.1, {@code <value>}): a set of atoms, or a map. A single atom is
 * the set of one, as on the wire, so equal contents are equal values. Immutable.
 */
public sealed interface Value {
  Value EMPTY_SET = new SetOf(Set.of());
  Value EMPTY_MAP = new MapOf(Map.of());

  /** Any number of different atoms, zero and one included; the order has no meaning. */
  record SetOf(Set<Atom> atoms) implements Value {
    public SetOf {
      atoms =
          atoms.size() <= 1
              ? Set.copyOf(atoms)
              : Collections.unmodifiableSet(new LinkedHashSet<>(atoms));
    }
  }

  /** Pairs with different keys; the order has no meaning. */
  record MapOf(Map<Atom, Atom> pairs) implements Value {
    public MapOf {
      pairs =
          pairs.size() <= 1
              ? Map.copyOf(pairs)
              : Collections.unmodifiableMap(new LinkedHashMap<>(pairs));
    }
  }

  /** One indivisible value (RFC 7047 §5.1, {@code <atom>}). */
  sealed interface Atom permits Text, Whole, Real, Flag, Uuid, Named {}

  /** A string. */
  record Text(String value) implements Atom {}

  /** An integer of 64 bits, signed. */
  record Whole(long value) implements Atom {}

  /** A real number. */
  record Real(double value) implements Atom {}

  /** A boolean. */
  record Flag(boolean value) implements Atom {}

  /**
   * The row that an insert of the same transaction will make (RFC 7047 §5.1, {@code <named-uuid>}).
   * Only sent, never received.
   */
  record Named(String name) implements Atom {
    private static final String FORM = "[A-Za-z_][A-Za-z0-9_]*";

    public Named {
      requireId("named-uuid", name);
    }

    static void requireId(String field, String name) {
      if (!name.matches(FORM)) {
        throw new InvalidValueException(field, name, "is not an identifier of letters, digits, _");
      }
    }
  }

  static Value of(Atom atom) {
    return new SetOf(Set.of(atom));
  }

  static Value of(String text) {
    return of(new Text(text));
  }

  static Value of(long number) {
    return of(new Whole(number));
  }

  static Value of(boolean flag) {
    return of(new Flag(flag));
  }

  /** The row that the insert with this {@code uuidName} makes. */
  static Value named(String uuidName) {
    return of(new Named(uuidName));
  }

  static Value set(Collection<? extends Atom> atoms) {
    return new SetOf(new LinkedHashSet<>(atoms));
  }

  static Value strings(Collection<String> texts) {
    return set(texts.stream().map(Text::new).toList());
  }

  static Value stringMap(Map<String, String> pairs) {
    Map<Atom, Atom> atoms = new LinkedHashMap<>();
    pairs.forEach((key, value) -> atoms.put(new Text(key), new Text(value)));
    return new MapOf(atoms);
  }
}
