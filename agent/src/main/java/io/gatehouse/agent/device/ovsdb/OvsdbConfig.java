package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.Backoff;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where a client connects, what it follows, and its limits.
 *
 * @param monitored columns by table; the replica has these and no others
 */
public record OvsdbConfig(
    OvsdbAddress address,
    String database,
    Map<String, Set<String>> monitored,
    Times times,
    Bounds bounds) {

  public OvsdbConfig {
    Map<String, Set<String>> copy = new LinkedHashMap<>();
    monitored.forEach((table, columns) -> copy.put(table, Set.copyOf(columns)));
    monitored = Map.copyOf(copy);
  }

  /** The switch's database with the default times and bounds. */
  public static OvsdbConfig of(OvsdbAddress address, Map<String, Set<String>> monitored) {
    return new OvsdbConfig(address, "Open_vSwitch", monitored, Times.DEFAULT, Bounds.DEFAULT);
  }

  public OvsdbConfig withTimes(Times changed) {
    return new OvsdbConfig(address, database, monitored, changed, bounds);
  }

  public OvsdbConfig withBounds(Bounds changed) {
    return new OvsdbConfig(address, database, monitored, times, changed);
  }

  /**
   * How long things may take; all are positive.
   *
   * @param connect for the connection, and again for the TLS handshake
   * @param probe silence after which an echo is sent; as much again, and the connection is dropped
   * @param call for the reply to one request
   * @param firstRetry the longest wait before the first new attempt; each one after doubles it
   * @param lastRetry the longest wait before any attempt
   */
  public record Times(
      Duration connect, Duration probe, Duration call, Duration firstRetry, Duration lastRetry) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMillis(200),
            Duration.ofSeconds(8));

    public Times {
      requirePositive("connect", connect);
      requirePositive("probe", probe);
      requirePositive("call", call);
      requirePositive("firstRetry", firstRetry);
      if (lastRetry.compareTo(firstRetry) < 0) {
        throw new InvalidValueException("lastRetry", lastRetry, "is shorter than firstRetry");
      }
    }

    Backoff retries() {
      return new Backoff(firstRetry, lastRetry);
    }

    private static void requirePositive(String field, Duration value) {
      if (value.isZero() || value.isNegative()) {
        throw new InvalidValueException(field, value, "is not positive");
      }
    }
  }

  /**
   * How much is held for a peer; all are positive.
   *
   * @param messageBytes the largest message, received or sent
   * @param depth the deepest nesting of a message received
   * @param values the most values in a message received, keys of objects included
   * @param calls requests without an answer at one moment, and pending awaits as well
   * @param unsentBytes what may wait for a peer that does not read, before calls are refused
   */
  public record Bounds(int messageBytes, int depth, int values, int calls, int unsentBytes) {
    public static final Bounds DEFAULT = new Bounds(64 << 20, 64, 4_000_000, 1024, 16 << 20);

    public Bounds {
      requirePositive("messageBytes", messageBytes);
      requirePositive("depth", depth);
      requirePositive("values", values);
      requirePositive("calls", calls);
      requirePositive("unsentBytes", unsentBytes);
    }

    private static void requirePositive(String field, int value) {
      if (value < 1) {
        throw new InvalidValueException(field, value, "is not positive");
      }
    }
  }
}
