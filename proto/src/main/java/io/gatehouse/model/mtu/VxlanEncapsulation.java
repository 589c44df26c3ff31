package io.gatehouse.model.mtu;

import io.gatehouse.model.net.IpAddress.Family;
import io.gatehouse.model.net.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * VXLAN (RFC 7348 §5): outer IP header, UDP 8, VXLAN 8, inner Ethernet header 14, and 4 for each
 * 802.1Q tag that the inner frame keeps. 50 bytes over IPv4, 70 over IPv6.
 *
 * @param underlay family of the tunnel's addresses
 * @param innerTags tags of the tenant's frames that are carried, 0 to 2
 */
public record VxlanEncapsulation(Family underlay, int innerTags) implements Encapsulation {
  private static final int UDP_BYTES = 8;
  private static final int VXLAN_BYTES = 8;
  private static final int ETHERNET_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int MAX_TAGS = 2;

  public VxlanEncapsulation {
    Limits.range("inner_tags", innerTags, 0, MAX_TAGS);
  }

  @Override
  public int largestInnerBytes(int outerBytes) {
    return outerBytes - overheadBytes();
  }

  @Override
  public int neededOuterBytes(int innerBytes) {
    return innerBytes + overheadBytes();
  }

  @Override
  public List<BudgetLine> budget(int outerBytes) {
    List<BudgetLine> lines = new ArrayList<>();
    lines.add(new BudgetLine(IpHeader.name(underlay), IpHeader.bytes(underlay)));
    lines.add(new BudgetLine("UDP header", UDP_BYTES));
    lines.add(new BudgetLine("VXLAN header", VXLAN_BYTES));
    lines.add(new BudgetLine("inner Ethernet header", ETHERNET_BYTES));
    if (innerTags > 0) {
      lines.add(new BudgetLine("inner 802.1Q tags", innerTags * TAG_BYTES));
    }
    return lines;
  }

  private int overheadBytes() {
    int tags = innerTags * TAG_BYTES;
    return IpHeader.bytes(underlay) + UDP_BYTES + VXLAN_BYTES + ETHERNET_BYTES + tags;
  }
}
