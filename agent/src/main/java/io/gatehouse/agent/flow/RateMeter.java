package io.gatehouse.agent.flow;

/**
 * A meter of a switch with its one band, which drops what is above the rate.
 *
 * @param id 1..0xffff0000; above are the switch's own (OpenFlow 1.5.1 §7.3.4.5)
 * @param rate kilobits or packets per second, at least 1
 * @param burst kilobits or packets that may come at once, at least 1
 */
public record RateMeter(int id, Unit unit, long rate, long burst) {
  private static final long MAX_ID = 0xffff_0000L;
  private static final long MAX_RATE = 0xffff_ffffL;

  /** What is counted. */
  public enum Unit {
    /** Kilobits of whole frames, without checksum. */
    KILOBITS("kbps"),
    PACKETS("pktps");

    private final String text;

    Unit(String text) {
      this.text = text;
    }
  }

  public RateMeter {
    checkId("meter", id);
    Checks.range("meter.rate", rate, 1, MAX_RATE);
    Checks.range("meter.burst", burst, 1, MAX_RATE);
  }

  static void checkId(String field, int id) {
    Checks.range(field, Integer.toUnsignedLong(id), 1, MAX_ID);
  }

  /** Whether the switch has the meter for itself. */
  public static boolean isReserved(int id) {
    return Integer.toUnsignedLong(id) > MAX_ID;
  }

  /** The meter as {@code ovs-ofctl add-meter} reads it. */
  @Override
  public String toString() {
    return "meter="
        + Integer.toUnsignedString(id)
        + ","
        + unit.text
        + ",burst,band=type=drop,rate="
        + rate
        + ",burst_size="
        + burst;
  }
}
