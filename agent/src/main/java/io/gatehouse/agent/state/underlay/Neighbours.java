package io.gatehouse.agent.state.underlay;

import java.util.List;

/**
 * What is at the other end of the links, as it says itself by LLDP.
 *
 * @param problem why it is not known; empty if it is
 * @param known by interface; empty also if nobody there speaks LLDP
 */
public record Neighbours(Knowledge knowledge, String problem, List<Neighbour> known) {
  /** There is no lldpd here. */
  public static final Neighbours ABSENT = new Neighbours(Knowledge.ABSENT, "", List.of());

  public Neighbours {
    known = List.copyOf(known);
  }

  /** These are there. */
  public static Neighbours of(List<Neighbour> known) {
    return new Neighbours(Knowledge.KNOWN, "", known);
  }

  /** They could not be asked for. */
  public static Neighbours failed(String problem) {
    return new Neighbours(Knowledge.FAILED, problem, List.of());
  }

  /** How it stands with lldpd. */
  public enum Knowledge {
    KNOWN,
    ABSENT,
    FAILED
  }

  /**
   * The other end of a link.
   *
   * @param device of this DPU
   * @param maxFrameBytes largest frame that it takes, with header, tags and check sequence; 0: it
   *     does not say
   */
  public record Neighbour(String device, String switchName, String port, int maxFrameBytes) {}
}
