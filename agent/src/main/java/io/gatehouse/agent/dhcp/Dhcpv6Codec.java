package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import java.util.ArrayList;
import java.util.List;

/** DHCP for IPv6 as bytes (RFC 8415 §8, §21). */
final class Dhcpv6Codec {
  private static final int MAX_OPTIONS = 64;

  private Dhcpv6Codec() {}

  static Dhcpv6Message read(PacketReader in) throws MalformedPacketException {
    int type = in.u8();
    int transaction = in.u8() << 16 | in.u16();
    return new Dhcpv6Message(type, transaction, readOptions(in));
  }

  static List<Dhcpv6Message.Option> readOptions(PacketReader in) throws MalformedPacketException {
    List<Dhcpv6Message.Option> options = new ArrayList<>();
    while (in.remaining() > 0) {
      int code = in.u16();
      options.add(new Dhcpv6Message.Option(code, Octets.of(in.take(in.u16()))));
      if (options.size() > MAX_OPTIONS) {
        throw new MalformedPacketException("more than " + MAX_OPTIONS + " options");
      }
    }
    return options;
  }

  static Octets write(Dhcpv6Message message) {
    PacketWriter out = new PacketWriter();
    out.u8(message.type()).u8(message.transaction() >> 16).u16(message.transaction());
    message.options().forEach(option -> write(out, option));
    return out.toOctets();
  }

  static void write(PacketWriter out, Dhcpv6Message.Option option) {
    out.u16(option.code()).u16(option.value().size()).put(option.value().toBytes());
  }
}
