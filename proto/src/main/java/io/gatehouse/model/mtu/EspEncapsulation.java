package io.gatehouse.model.mtu;

import io.gatehouse.model.net.IpAddress.Family;
import java.util.ArrayList;
import java.util.List;

/**
 * ESP (RFC 4303) as Linux counts it in {@code esp4_get_mtu}: {@code ((outer - header - icv - adj) &
 * ~(block - 1)) + adj - 2}. The payload and its two bytes of trailer are padded to whole blocks, so
 * that up to a block less one may stay unused.
 *
 * @param family of the outer IP header: in transport mode it is the protected packet's own
 * @param nat whether ESP is carried in UDP (RFC 3948), as between addresses that are translated
 */
public record EspEncapsulation(Mode mode, Cipher cipher, NatTraversal nat, Family family)
    implements Encapsulation {
  private static final int SPI_AND_SEQUENCE_BYTES = 8;
  private static final int TRAILER_BYTES = 2;
  private static final int UDP_BYTES = 8;

  /** What is protected: what follows the IP header, or the whole packet. */
  public enum Mode {
    TRANSPORT,
    TUNNEL
  }

  /** Whether ESP is carried in UDP. */
  public enum NatTraversal {
    NONE,
    UDP
  }

  /** Algorithms, with the sizes that count: block, initialization vector, integrity check value. */
  public enum Cipher {
    /** RFC 4106 with an ICV of 16 bytes. */
    AES_GCM(4, 8, 16),
    /** RFC 3602 with HMAC-SHA-256-128 (RFC 4868). */
    AES_CBC_SHA256(16, 16, 16),
    /** RFC 7634. */
    CHACHA20_POLY1305(4, 8, 16);

    /** Of the cipher, and at least the 4 bytes that the trailer must end on (RFC 4303 §2.4). */
    private final int blockBytes;

    private final int ivBytes;
    private final int icvBytes;

    Cipher(int blockBytes, int ivBytes, int icvBytes) {
      this.blockBytes = blockBytes;
      this.ivBytes = ivBytes;
      this.icvBytes = icvBytes;
    }
  }

  @Override
  public int largestInnerBytes(int outerBytes) {
    int room = outerBytes - aroundBytes() - clearBytes();
    return Math.floorDiv(room, cipher.blockBytes) * cipher.blockBytes
        + clearBytes()
        - TRAILER_BYTES;
  }

  @Override
  public int neededOuterBytes(int innerBytes) {
    int padded = innerBytes - clearBytes() + TRAILER_BYTES + cipher.blockBytes - 1;
    int blocks = Math.floorDiv(padded, cipher.blockBytes);
    return blocks * cipher.blockBytes + clearBytes() + aroundBytes();
  }

  @Override
  public List<BudgetLine> budget(int outerBytes) {
    List<BudgetLine> lines = new ArrayList<>();
    if (mode == Mode.TUNNEL) {
      lines.add(new BudgetLine("tunnel " + IpHeader.name(family), IpHeader.bytes(family)));
    }
    if (nat == NatTraversal.UDP) {
      lines.add(new BudgetLine("UDP header of NAT traversal", UDP_BYTES));
    }
    lines.add(new BudgetLine("ESP header", SPI_AND_SEQUENCE_BYTES));
    lines.add(new BudgetLine("ESP initialization vector", cipher.ivBytes));
    lines.add(new BudgetLine("ESP trailer", TRAILER_BYTES));
    lines.add(new BudgetLine("ESP integrity check value", cipher.icvBytes));
    int room = outerBytes - aroundBytes() - clearBytes();
    lines.add(new BudgetLine("no whole ESP block", Math.floorMod(room, cipher.blockBytes)));
    return lines;
  }

  /** What is around the encrypted part, without an IP header that was there before. */
  private int aroundBytes() {
    int tunnel = mode == Mode.TUNNEL ? IpHeader.bytes(family) : 0;
    int udp = nat == NatTraversal.UDP ? UDP_BYTES : 0;
    return tunnel + udp + SPI_AND_SEQUENCE_BYTES + cipher.ivBytes + cipher.icvBytes;
  }

  /** The packet's own IP header, which transport mode leaves in front. */
  private int clearBytes() {
    return mode == Mode.TRANSPORT ? IpHeader.bytes(family) : 0;
  }
}
