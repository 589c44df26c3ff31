package io.gatehouse.model.mtu;

import io.gatehouse.model.net.IpAddress.Family;
import io.gatehouse.model.net.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * All that is put around a tenant's packet, in its real order.
 *
 * <p>Tags of the underlay's own frames are not here: an 802.1Q tag that an access port or a VLAN
 * interface adds lies, as the Ethernet header does, outside of the MTU of the interface that holds
 * the VTEP address. It counts in the largest frame of the switch, see {@link #frameBytes}.
 *
 * @param layers the innermost first, at least one
 */
public record EncapsulationStack(List<Encapsulation> layers) {
  /** Largest MTU of an Open vSwitch tunnel port. */
  public static final int MAX_TUNNEL_MTU_BYTES = 65_000;

  private static final int MAX_LAYERS = 4;
  private static final int ETHERNET_BYTES = 14;
  private static final int TAG_BYTES = 4;

  public EncapsulationStack {
    layers = List.copyOf(layers);
    Limits.range("layers.size", layers.size(), 1, MAX_LAYERS);
  }

  /** Plain VXLAN: what goes between two DPUs. */
  public static EncapsulationStack vxlan(Family underlay) {
    return new EncapsulationStack(List.of(new VxlanEncapsulation(underlay, 0)));
  }

  /** With one more layer around it all. */
  public EncapsulationStack within(Encapsulation outermost) {
    List<Encapsulation> next = new ArrayList<>(layers);
    next.add(outermost);
    return new EncapsulationStack(next);
  }

  /** Largest inner IP packet that an underlay of this MTU carries unfragmented; 0: none. */
  public int largestInnerBytes(int underlayMtuBytes) {
    int bytes = Math.min(underlayMtuBytes, MAX_TUNNEL_MTU_BYTES);
    for (int i = layers.size() - 1; i >= 0; i--) {
      bytes = layers.get(i).largestInnerBytes(bytes);
    }
    return Math.max(bytes, 0);
  }

  /** Smallest underlay MTU that carries an inner IP packet of this size: its size on the wire. */
  public int neededUnderlayBytes(int innerBytes) {
    int bytes = innerBytes;
    for (Encapsulation layer : layers) {
      bytes = layer.neededOuterBytes(bytes);
    }
    return bytes;
  }

  /** Where the bytes of the underlay go, the outermost first. */
  public List<BudgetLine> budget(int underlayMtuBytes) {
    List<BudgetLine> lines = new ArrayList<>();
    int bytes = Math.min(underlayMtuBytes, MAX_TUNNEL_MTU_BYTES);
    if (bytes < underlayMtuBytes) {
      String what = "beyond the " + MAX_TUNNEL_MTU_BYTES + " of a tunnel port";
      lines.add(new BudgetLine(what, underlayMtuBytes - bytes));
    }
    for (int i = layers.size() - 1; i >= 0; i--) {
      lines.addAll(layers.get(i).budget(bytes));
      bytes = layers.get(i).largestInnerBytes(bytes);
    }
    return lines;
  }

  /**
   * Size of the Ethernet frame, without its check sequence, that an underlay packet is in: what the
   * switches must carry.
   *
   * @param outerTags 802.1Q tags of the frame
   */
  public static int frameBytes(int underlayPacketBytes, int outerTags) {
    return underlayPacketBytes + ETHERNET_BYTES + outerTags * TAG_BYTES;
  }
}
