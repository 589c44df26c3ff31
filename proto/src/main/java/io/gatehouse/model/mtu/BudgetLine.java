package io.gatehouse.model.mtu;

import io.gatehouse.model.net.Limits;

/**
 * What takes bytes of a packet.
 *
 * @param what for people, such as {@code VXLAN header}
 * @param bytes that it takes, 0 or more
 */
public record BudgetLine(String what, int bytes) {
  public BudgetLine {
    Limits.range("bytes", bytes, 0, Integer.MAX_VALUE);
  }
}
