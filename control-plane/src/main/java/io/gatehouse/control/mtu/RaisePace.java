package io.gatehouse.control.mtu;

import io.gatehouse.model.name.NetworkName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How long paths must be better before a network is given back what they carry: longer each time
 * that this was too early, so that a path that comes and goes does not fill the journal. For one
 * thread.
 */
final class RaisePace {
  static final Duration FIRST = Duration.ofSeconds(30);
  static final Duration LONGEST = Duration.ofHours(1);

  /** What falls again within this time was given back too early. */
  static final Duration TOO_EARLY = Duration.ofMinutes(10);

  private record Raise(Duration waited, Instant at) {}

  private final Map<NetworkName, Raise> raises = new HashMap<>();
  private final Map<NetworkName, Duration> waits = new HashMap<>();

  /** How long this network waits. */
  Duration of(NetworkName network) {
    return waits.getOrDefault(network, FIRST);
  }

  /** A network has got more. */
  void raised(NetworkName network, Instant now) {
    raises.put(network, new Raise(of(network), now));
  }

  /** A network has got less. */
  void lowered(NetworkName network, Instant now) {
    Raise raise = raises.remove(network);
    if (raise == null) {
      // A further step down says nothing of the raise before.
      return;
    }
    if (raise.at().plus(TOO_EARLY).isBefore(now)) {
      waits.remove(network);
      return;
    }
    Duration twice = raise.waited().multipliedBy(2);
    waits.put(network, twice.compareTo(LONGEST) > 0 ? LONGEST : twice);
  }

  /** Forgets raises that have proved right, and networks without a limit. */
  void forget(Predicate<NetworkName> limited, Instant now) {
    raises
        .entrySet()
        .removeIf(
            raise -> {
              boolean held = raise.getValue().at().plus(TOO_EARLY).isBefore(now);
              if (held) {
                waits.remove(raise.getKey());
              }
              return held;
            });
    waits.keySet().removeIf(name -> !limited.test(name) && !raises.containsKey(name));
  }
}
