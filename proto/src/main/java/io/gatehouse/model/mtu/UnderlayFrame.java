package io.gatehouse.model.mtu;

/**
 * The frame that an underlay packet is in on the wire, as a switch counts it when it says what it
 * takes: Ethernet header, tags, packet, check sequence (IEEE 802.3 79.3.4, "maximum frame size").
 */
public final class UnderlayFrame {
  private static final int HEADER_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int CHECK_BYTES = 4;

  private UnderlayFrame() {}

  /**
   * Bytes of the frame of the largest packet.
   *
   * @param mtuBytes of the underlay
   * @param tagCount 802.1Q tags that the DPU itself puts on it
   */
  public static int neededBytes(int mtuBytes, int tagCount) {
    return HEADER_BYTES + TAG_BYTES * tagCount + mtuBytes + CHECK_BYTES;
  }
}
