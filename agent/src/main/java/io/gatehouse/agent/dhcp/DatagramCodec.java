package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;

/** Datagrams as frames: Ethernet, IPv4 (RFC 791), IPv6 (RFC 8200), UDP (RFC 768). */
final class DatagramCodec {
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int IPV4_HEADER_BYTES = 20;
  private static final int UDP_HEADER_BYTES = 8;

  /** More fragments, and the offset. */
  private static final int FRAGMENT = 0x3fff;

  private DatagramCodec() {}

  /**
   * Reads a frame. Checksums are not looked at: between a host and its DPU the hardware may leave
   * them out, and a wrong bit can only spoil an answer to the host itself.
   */
  static Datagram read(Octets frame) throws MalformedPacketException {
    PacketReader in = new PacketReader(frame.toBytes());
    MacAddress to = in.mac();
    Datagram.Link link = new Datagram.Link(in.mac(), to);
    int type = in.u16();
    return switch (type) {
      case IPV4 -> readV4(link, in);
      case IPV6 -> readV6(link, in);
      default -> throw new MalformedPacketException("Ethernet type " + type);
    };
  }

  private static Datagram readV4(Datagram.Link link, PacketReader in)
      throws MalformedPacketException {
    int first = in.u8();
    int headerBytes = (first & 0xf) * 4;
    int length = in.skip(1).u16();
    boolean fragment = (in.skip(2).u16() & FRAGMENT) != 0;
    int ttl = in.u8();
    int protocol = in.u8();
    if (first >> 4 != 4 || headerBytes < IPV4_HEADER_BYTES || fragment) {
      throw new MalformedPacketException("an IPv4 header that is none, or a fragment");
    }
    IpAddress from = in.skip(2).ipv4();
    IpAddress to = in.ipv4();
    PacketReader options = in.skip(headerBytes - IPV4_HEADER_BYTES);
    if (protocol != Datagram.UDP) {
      throw new MalformedPacketException("IPv4 protocol " + protocol);
    }
    Datagram.Content load = readUdp(options.part(length - headerBytes));
    return new Datagram(link, from, to, protocol, ttl, load);
  }

  private static Datagram readV6(Datagram.Link link, PacketReader in)
      throws MalformedPacketException {
    int version = in.u8() >> 4;
    int length = in.skip(3).u16();
    int protocol = in.u8();
    int hopLimit = in.u8();
    if (version != 6) {
      throw new MalformedPacketException("IP version " + version);
    }
    IpAddress from = in.ipv6();
    IpAddress to = in.ipv6();
    PacketReader body = in.part(length);
    Datagram.Content load =
        switch (protocol) {
          case Datagram.UDP -> readUdp(body);
          case Datagram.ICMPV6 -> new Datagram.Content(0, 0, Octets.of(body.rest()));
          default -> throw new MalformedPacketException("IPv6 next header " + protocol);
        };
    return new Datagram(link, from, to, protocol, hopLimit, load);
  }

  private static Datagram.Content readUdp(PacketReader in) throws MalformedPacketException {
    int from = in.u16();
    int to = in.u16();
    int length = in.u16();
    byte[] payload = in.skip(2).part(length - UDP_HEADER_BYTES).rest();
    return new Datagram.Content(from, to, Octets.of(payload));
  }

  /** Writes a frame with all checksums. */
  static Octets write(Datagram datagram) {
    PacketWriter out = new PacketWriter();
    out.put(datagram.link().to()).put(datagram.link().from());
    int carried =
        datagram.load().payload().size()
            + (datagram.protocol() == Datagram.UDP ? UDP_HEADER_BYTES : 0);
    if (datagram.from().isV4()) {
      writeV4(out, datagram, carried);
    } else {
      out.u16(IPV6).u32(6L << 28).u16(carried).u8(datagram.protocol()).u8(datagram.hopLimit());
      out.put(datagram.from()).put(datagram.to());
    }
    writeLoad(out, datagram, carried);
    return out.toOctets();
  }

  private static void writeV4(PacketWriter out, Datagram datagram, int carried) {
    out.u16(IPV4);
    int start = out.size();
    out.u16(0x4500).u16(IPV4_HEADER_BYTES + carried).u32(0);
    out.u8(datagram.hopLimit()).u8(datagram.protocol()).u16(0);
    out.put(datagram.from()).put(datagram.to());
    out.set16(start + 10, out.checksum(start, 0));
  }

  private static void writeLoad(PacketWriter out, Datagram datagram, int carried) {
    int start = out.size();
    Datagram.Content load = datagram.load();
    long pseudoHeader = sum(datagram.from()) + sum(datagram.to()) + datagram.protocol() + carried;
    if (datagram.protocol() == Datagram.UDP) {
      out.u16(load.fromPort()).u16(load.toPort()).u16(carried).u16(0).put(load.payload().toBytes());
      int checksum = out.checksum(start, pseudoHeader);
      // Zero would mean "none"; both forms are the same number to who adds them up.
      out.set16(start + 6, checksum == 0 ? 0xffff : checksum);
      return;
    }
    out.put(load.payload().toBytes());
    boolean v4 = datagram.protocol() == Datagram.ICMP;
    out.set16(start + 2, out.checksum(start, v4 ? 0 : pseudoHeader));
  }

  private static long sum(IpAddress address) {
    byte[] bytes = address.toBytes();
    long sum = 0;
    for (int i = 0; i < bytes.length; i += 2) {
      sum += (bytes[i] & 0xff) << 8 | (bytes[i + 1] & 0xff);
    }
    return sum;
  }
}
