package io.gatehouse.packaging.packet;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.nio.ByteBuffer;

/**
 * Frames with a mark. Their upper checksums are not filled in: nobody on the way may look at them,
 * and the receiver that counts is a raw socket.
 */
public final class Frames {
  private static final int IPV4 = 0x0800;
  private static final int ARP = 0x0806;
  private static final int IPV6 = 0x86dd;
  private static final int UDP = 17;
  private static final int ICMPV6 = 58;
  private static final int ARP_REPLY = 2;
  private static final int ROUTER_ADVERTISEMENT = 134;
  private static final int DISCARD_PORT = 9;
  private static final int DHCP_SERVER_PORT = 67;

  private Frames() {}

  /**
   * From whom, to whom.
   *
   * @param source MAC address that the frame names as its sender
   * @param target MAC address
   */
  public record Ends(MacAddress source, MacAddress target) {
    public static Ends of(String source, String target) {
      return new Ends(MacAddress.parse(source), MacAddress.parse(target));
    }
  }

  /** A UDP datagram, IPv4 or IPv6 as its addresses are. */
  public static byte[] udp(Ends ends, String source, String target, Mark mark) {
    return udp(ends, source, target, DISCARD_PORT, mark);
  }

  /** What a DHCP server would send. */
  public static byte[] dhcpOffer(Ends ends, String source, String target, Mark mark) {
    return udp(ends, source, target, DHCP_SERVER_PORT, mark);
  }

  private static byte[] udp(Ends ends, String source, String target, int from, Mark mark) {
    int length = 8 + Mark.BYTES;
    IpAddress sender = IpAddress.parse(source);
    ByteBuffer frame =
        sender.isV4()
            ? ipv4(ends, sender, IpAddress.parse(target), length)
            : ipv6(ends, sender, IpAddress.parse(target), UDP, length);
    frame.putShort((short) from).putShort((short) DISCARD_PORT);
    frame.putShort((short) length).putShort((short) 0).put(mark.bytes());
    return bytes(frame);
  }

  /** An ARP reply that says where an address is; the mark is in the padding. */
  public static byte[] arpReply(Ends ends, MacAddress sender, String address, Mark mark) {
    ByteBuffer frame = ethernet(ends, ARP, 28 + Mark.BYTES + 2);
    frame.putShort((short) 1).putShort((short) IPV4).put((byte) 6).put((byte) 4);
    frame.putShort((short) ARP_REPLY);
    frame.put(sender.toBytes()).put(IpAddress.parse(address).toBytes());
    frame.put(ends.target().toBytes()).put(IpAddress.parse("10.0.0.99").toBytes());
    return bytes(frame.put(mark.bytes()));
  }

  /** A router advertisement to all nodes; the mark is in an option that nobody knows. */
  public static byte[] routerAdvertisement(MacAddress source, Mark mark) {
    Ends ends = new Ends(source, MacAddress.parse("33:33:00:00:00:01"));
    int length = 16 + 8 + Mark.BYTES;
    ByteBuffer frame = ipv6(ends, source.linkLocal(), IpAddress.parse("ff02::1"), ICMPV6, length);
    frame.put((byte) ROUTER_ADVERTISEMENT).put((byte) 0).putShort((short) 0);
    frame.put((byte) 64).put((byte) 0).putShort((short) 1800).putInt(0).putInt(0);
    frame.put((byte) 253).put((byte) 3).putShort((short) 0).putInt(0);
    return bytes(frame.put(mark.bytes()));
  }

  /** The whole of a frame that "ethernet" allocated. */
  private static byte[] bytes(ByteBuffer frame) {
    byte[] bytes = new byte[frame.capacity()];
    frame.rewind().get(bytes);
    return bytes;
  }

  private static ByteBuffer ethernet(Ends ends, int type, int payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload);
    return frame.put(ends.target().toBytes()).put(ends.source().toBytes()).putShort((short) type);
  }

  private static ByteBuffer ipv4(Ends ends, IpAddress source, IpAddress target, int payload) {
    ByteBuffer frame = ethernet(ends, IPV4, 20 + payload);
    int start = frame.position();
    frame.put((byte) 0x45).put((byte) 0).putShort((short) (20 + payload)).putInt(0);
    frame.put((byte) 64).put((byte) UDP).putShort((short) 0);
    frame.put(source.toBytes()).put(target.toBytes());
    int sum = 0;
    for (int at = start; at < start + 20; at += 2) {
      sum += frame.getShort(at) & 0xffff;
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    return frame.putShort(start + 10, (short) ~((sum & 0xffff) + (sum >>> 16)));
  }

  private static ByteBuffer ipv6(
      Ends ends, IpAddress source, IpAddress target, int protocol, int payload) {
    ByteBuffer frame = ethernet(ends, IPV6, 40 + payload);
    frame.putInt(0x60000000).putShort((short) payload).put((byte) protocol).put((byte) 255);
    return frame.put(source.toBytes()).put(target.toBytes());
  }
}
