package io.gatehouse.model.mtu;

/**
 * The MTU that RDMA over Ethernet takes inside a network: the largest step of 256, 512, 1024, 2048
 * and 4096 bytes of payload that leaves room for 96 bytes of headers. That is what Linux takes off
 * in {@code iboe_get_mtu}: GRH 40, UDP 8, BTH 12, XRC 4, atomic header 28, ICRC 4.
 */
public final class RdmaMtu {
  /** What the largest headers of a packet take. */
  public static final int HEADER_BYTES = 96;

  private static final int MIN_STEP_BYTES = 256;
  private static final int MAX_STEP_BYTES = 4_096;

  private RdmaMtu() {}

  /** The step in a network of this MTU; 0: not even the smallest fits. */
  public static int stepBytes(int mtuBytes) {
    int room = Math.min(mtuBytes - HEADER_BYTES, MAX_STEP_BYTES);
    return room < MIN_STEP_BYTES ? 0 : Integer.highestOneBit(room);
  }

  /** The smallest MTU of a network in which this step fits. */
  public static int neededBytes(int stepBytes) {
    return stepBytes + HEADER_BYTES;
  }
}
