package io.gatehouse.agent.path;

import io.gatehouse.agent.state.path.PathHop;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what {@code traceroute -n -F -q 1} has found out: it sends packets of one size whose
 * time to live ends one hop further each time, so that the hops that carry them answer, and the one
 * that does not says so or is where the answers end.
 */
public final class TracerouteReader {
  /** More lines than the hops that are asked for can make. */
  private static final int MAX_LINES = 100;

  /** Such as {@code " 2 192.0.2.1 0.144 ms !F-1400"}; a star for an address: nobody, or we. */
  private static final Pattern HOP =
      Pattern.compile(" {0,2}(\\d{1,3})  (\\S{1,45})(?:  [\\d.]{1,12} ms(?: !(\\S{1,12}))?)?");

  private static final Pattern TOO_LARGE = Pattern.compile("F-(\\d{1,5})");
  private static final String NOBODY = "*";

  private TracerouteReader() {}

  /**
   * Reads its output.
   *
   * @param own address of this DPU
   * @param to where the packets go
   * @param sizeBytes of the packets
   */
  public static PathHop read(String output, IpAddress own, IpAddress to, int sizeBytes) {
    Map<IpAddress, Integer> seen = new HashMap<>();
    Optional<PathHop> last = Optional.empty();
    for (String line : output.lines().limit(MAX_LINES).toList()) {
      Matcher hop = HOP.matcher(line.stripTrailing());
      if (!hop.matches()) {
        continue;
      }
      int distance = Integer.parseInt(hop.group(1));
      int mtu = mtu(hop.group(3));
      boolean local = hop.group(2).equals(NOBODY) && mtu > 0;
      Optional<IpAddress> address = local ? Optional.of(own) : address(hop.group(2));
      if (address.isEmpty()) {
        continue;
      }
      if (mtu > 0 && mtu < sizeBytes) {
        // Who passes a packet on looks at its size after its time: it is the hop before.
        int before = seen.getOrDefault(address.get(), Math.max(1, distance - 1));
        return PathHop.at(local ? 0 : before, address.get(), mtu);
      }
      if (address.get().equals(to)) {
        return PathHop.unknown("a packet of " + sizeBytes + " bytes has arrived on another way");
      }
      if (!local) {
        seen.put(address.get(), distance);
        last = Optional.of(PathHop.at(distance, address.get(), 0));
      }
    }
    return last.orElseGet(() -> PathHop.unknown("no hop answers"));
  }

  private static int mtu(@Nullable String mark) {
    Matcher mtu = TOO_LARGE.matcher(mark == null ? "" : mark);
    return mtu.matches() ? Integer.parseInt(mtu.group(1)) : 0;
  }

  private static Optional<IpAddress> address(String text) {
    try {
      return Optional.of(IpAddress.parse(text));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }
}
