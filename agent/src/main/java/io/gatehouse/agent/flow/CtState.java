package io.gatehouse.agent.flow;

import java.util.List;
import java.util.stream.IntStream;

/** The bits of {@code ct_state} (ovs-fields(7)). */
public final class CtState {
  public static final int NEW = 0x01;
  public static final int ESTABLISHED = 0x02;
  public static final int RELATED = 0x04;
  public static final int REPLY = 0x08;
  public static final int INVALID = 0x10;
  public static final int TRACKED = 0x20;
  public static final int SOURCE_NAT = 0x40;
  public static final int DESTINATION_NAT = 0x80;

  /** What is said of valid connections only. */
  static final int OF_VALID = NEW | ESTABLISHED | RELATED | REPLY | SOURCE_NAT | DESTINATION_NAT;

  static final String[] TEXT = {"new", "est", "rel", "rpl", "inv", "trk", "snat", "dnat"};

  private CtState() {}

  /** The names of the bits that are set, from the lowest. */
  public static List<String> names(int bits) {
    return IntStream.range(0, TEXT.length)
        .filter(i -> (bits >>> i & 1) == 1)
        .mapToObj(i -> TEXT[i])
        .toList();
  }
}
