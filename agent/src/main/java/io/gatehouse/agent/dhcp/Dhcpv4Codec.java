package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** DHCP for IPv4 as bytes (RFC 2131 §2, RFC 2132). */
final class Dhcpv4Codec {
  private static final int BOOT_REQUEST = 1;
  private static final int BOOT_REPLY = 2;
  private static final int ETHERNET = 1;
  private static final int MAC_BYTES = 6;
  private static final int CHADDR_BYTES = 16;

  /** Server name and boot file. */
  private static final int NAMES_BYTES = 64 + 128;

  private static final long MAGIC_COOKIE = 0x6382_5363L;
  private static final int PAD = 0;
  private static final int END = 255;

  /** Some clients take no message that is shorter than BOOTP's (RFC 1542 §2.1). */
  private static final int MIN_BYTES = 300;

  private Dhcpv4Codec() {}

  static Dhcpv4Message read(PacketReader in) throws MalformedPacketException {
    int op = in.u8();
    int hardware = in.u8();
    int hardwareBytes = in.u8();
    if (op != BOOT_REQUEST || hardware != ETHERNET || hardwareBytes != MAC_BYTES) {
      throw new MalformedPacketException("no request of a host on Ethernet");
    }
    long xid = in.skip(1).u32();
    int flags = in.skip(2).u16();
    IpAddress ciaddr = in.ipv4();
    IpAddress giaddr = in.skip(8).ipv4();
    MacAddress chaddr = in.mac();
    in.skip(CHADDR_BYTES - MAC_BYTES + NAMES_BYTES);
    Map<Integer, Octets> options = new HashMap<>();
    // BOOTP has another cookie, or none.
    if (in.remaining() >= 4 && in.u32() == MAGIC_COOKIE) {
      readOptions(in, options);
    }
    Octets type = options.getOrDefault(Dhcpv4Message.MESSAGE_TYPE, Octets.of((byte) 0));
    if (type.size() != 1) {
      throw new MalformedPacketException("a message type of " + type.size() + " bytes");
    }
    Dhcpv4Message.Header header = new Dhcpv4Message.Header(xid, flags);
    return new Dhcpv4Message(type.toBytes()[0] & 0xff, header, ciaddr, giaddr, chaddr, options);
  }

  private static void readOptions(PacketReader in, Map<Integer, Octets> options)
      throws MalformedPacketException {
    while (in.remaining() > 0) {
      int code = in.u8();
      if (code == END) {
        return;
      }
      if (code != PAD) {
        options.merge(code, Octets.of(in.take(in.u8())), Dhcpv4Codec::joined);
      }
    }
  }

  private static Octets joined(Octets one, Octets two) {
    return new PacketWriter().put(one.toBytes()).put(two.toBytes()).toOctets();
  }

  /**
   * Writes an answer.
   *
   * @param yiaddr the client's address, or 0.0.0.0
   * @param options as {@link #option} writes them, without the end
   */
  static Octets write(
      Dhcpv4Message request, IpAddress ciaddr, IpAddress yiaddr, PacketWriter options) {
    PacketWriter out = new PacketWriter();
    out.u8(BOOT_REPLY).u8(ETHERNET).u8(MAC_BYTES).u8(0);
    out.u32(request.header().xid()).u16(0).u16(request.header().flags());
    out.put(ciaddr).put(yiaddr).zeros(8);
    out.put(request.chaddr()).zeros(CHADDR_BYTES - MAC_BYTES + NAMES_BYTES);
    out.u32(MAGIC_COOKIE).put(options.toBytes()).u8(END);
    out.zeros(Math.max(MIN_BYTES - out.size(), 0));
    return out.toOctets();
  }

  /** Writes an option; one that is longer than a length can say comes in parts (RFC 3396). */
  static void option(PacketWriter out, int code, byte[] value) {
    int at = 0;
    do {
      int length = Math.min(value.length - at, 255);
      out.u8(code).u8(length).put(Arrays.copyOfRange(value, at, at + length));
      at += length;
    } while (at < value.length);
  }
}
