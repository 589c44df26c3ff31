package io.gatehouse.agent.plan.pipeline;

import io.gatehouse.agent.plan.security.GroupPlanner;
import io.gatehouse.agent.state.PuntKind;

/** What the pipeline's registers carry from table to table. */
public final class Registers {
  /** The network: its VNI. */
  public static final int NETWORK = GroupPlanner.NETWORK_REGISTER;

  /** The OpenFlow port to put the packet out at. */
  public static final int OUTPUT = 1;

  /** Where the packet came from: {@link #FROM_HOST} or {@link #FROM_TUNNEL}. */
  public static final int ORIGIN = 2;

  /** Which part of a replication list is next; 0 for what is not copied. */
  public static final int REPLICATION = 3;

  /** Whether a security group allows the packet's connection. */
  public static final int VERDICT = GroupPlanner.VERDICT_REGISTER;

  /** In {@link #VERDICT}: the tracker was told to keep the connection that the packet opens. */
  public static final int OPENED = 2;

  /** How large a packet may be, in its low 16 bits, and {@link #TOO_LARGE}. */
  public static final int MTU = PuntKind.MTU_REGISTER;

  /** The bit of {@link #MTU} that says: the packet is larger. */
  public static final int TOO_LARGE_BIT = 16;

  public static final long TOO_LARGE = 1L << TOO_LARGE_BIT;

  /** The network that a packet was routed from; 0 if it was not. */
  public static final int ROUTED_FROM = 6;

  /** Written and never read. */
  public static final int SCRATCH = 15;

  /** Beside the port in {@link #OUTPUT}: this copy may be dropped without the others. */
  public static final int APART = 0x1_0000;

  /** Beside the port in {@link #OUTPUT}: the first of two limits is met. */
  public static final int MET_FIRST = 0x2_0000;

  public static final int FROM_HOST = 0;
  public static final int FROM_TUNNEL = 1;

  private Registers() {}
}
