package io.gatehouse.agent.plan;

import io.gatehouse.agent.plan.security.GroupPlanner;

/** What the pipeline's registers carry from table to table. */
final class Registers {
  /** The network: its VNI. */
  static final int NETWORK = 0;

  /** The OpenFlow port to put the packet out at. */
  static final int OUTPUT = 1;

  /** Where the packet came from: {@link #FROM_HOST} or {@link #FROM_TUNNEL}. */
  static final int ORIGIN = 2;

  /** Which part of a replication list is next. */
  static final int REPLICATION = 3;

  /** Whether a security group allows the packet's connection. */
  static final int VERDICT = GroupPlanner.VERDICT_REGISTER;

  static final int FROM_HOST = 0;
  static final int FROM_TUNNEL = 1;

  private Registers() {}
}
