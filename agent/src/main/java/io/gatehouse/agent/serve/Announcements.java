package io.gatehouse.agent.serve;

import static io.gatehouse.model.net.IpAddress.Family.V6;

import io.gatehouse.agent.dhcp.HostTerms;
import io.gatehouse.agent.dhcp.RouterAdvertiser;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Router advertisements that nobody asked for: when what a host is told has changed, so that it
 * learns a new MTU at once, and before what it was told ends. {@link #forget} may be called on any
 * thread, the rest on one.
 */
final class Announcements {
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(10);

  private final AnswerDesk.Outlet outlet;
  private final AnswerMeter meter;
  private final Map<Integer, Announced> last = new HashMap<>();
  private volatile boolean forgotten;

  private record Announced(HostTerms terms, long nanos) {}

  Announcements(AnswerDesk.Outlet outlet, AnswerMeter meter) {
    this.outlet = outlet;
    this.meter = meter;
  }

  void forget() {
    forgotten = true;
  }

  void announce(HostDirectory directory, long nowNanos) {
    if (forgotten) {
      forgotten = false;
      last.clear();
    }
    last.keySet().retainAll(directory.hosts().keySet());
    directory
        .hosts()
        .forEach(
            (port, terms) -> {
              if (terms.has(V6) && isDue(last.get(port), terms, nowNanos)) {
                RouterAdvertiser.advertise(terms).forEach(frame -> outlet.send(port, frame));
                meter.announced();
                last.put(port, new Announced(terms, nowNanos));
              }
            });
  }

  private static boolean isDue(@Nullable Announced announced, HostTerms terms, long nowNanos) {
    if (announced == null || !announced.terms().equals(terms)) {
      return true;
    }
    Duration third = Duration.ofSeconds(terms.leaseSeconds() / 3);
    Duration interval = third.compareTo(MAX_INTERVAL) < 0 ? third : MAX_INTERVAL;
    return nowNanos - announced.nanos() >= interval.toNanos();
  }
}
