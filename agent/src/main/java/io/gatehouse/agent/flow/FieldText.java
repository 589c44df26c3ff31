package io.gatehouse.agent.flow;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Fields as {@code ovs-ofctl} reads them. */
final class FieldText {
  private static final Map<Integer, String> BY_TYPE =
      Map.of(0x0806, "arp", 0x8035, "rarp", 0x0800, "ip", 0x86dd, "ipv6");
  private static final Map<Integer, String> V4 =
      Map.of(1, "icmp", 6, "tcp", 17, "udp", 132, "sctp");
  private static final Map<Integer, String> V6 =
      Map.of(58, "icmp6", 6, "tcp6", 17, "udp6", 132, "sctp6");

  private FieldText() {}

  static String match(Match match) {
    StringJoiner text = new StringJoiner(",");
    List<Match.Entry> entries = match.entries();
    String type = BY_TYPE.get(number(match, Field.ETH_TYPE));
    String protocol = protocol(match);
    if (protocol != null) {
      text.add(protocol);
    } else if (type != null) {
      text.add(type);
    }
    for (Match.Entry entry : entries) {
      boolean said =
          (entry.field() == Field.ETH_TYPE && type != null)
              || (entry.field() == Field.IP_PROTO && protocol != null);
      if (!said) {
        text.add(entry.field().text() + "=" + valueAndMask(entry));
      }
    }
    return text.toString();
  }

  private static String valueAndMask(Match.Entry entry) {
    Field field = entry.field();
    return switch (field.format()) {
      case CT_STATE -> flags(entry, CtState.TEXT);
      case TUN_FLAGS -> flags(entry, new String[] {"oam"});
      case FRAGMENT -> fragment(entry);
      default -> valueAndMask(field, entry.value(), entry.mask());
    };
  }

  static String valueAndMask(Field field, Bits value, Bits mask) {
    if (mask.equals(field.fullMask())) {
      return value(field, value);
    }
    return value(field, value) + "/" + value(field, mask);
  }

  static String value(Field field, Bits value) {
    return switch (field.format()) {
      case DECIMAL -> Long.toUnsignedString(value.low());
      case HEX, FRAGMENT, CT_STATE, TUN_FLAGS -> value.toString();
      case PORT -> Actions.portText((int) value.low());
      case ETHERNET -> new MacAddress(value.low()).toString();
      case IPV4 -> IpAddress.ofV4(value.low()).toString();
      case IPV6 -> IpAddress.ofV6(value.high(), value.low()).toString();
    };
  }

  /** {@code reg0[0..15]}, or {@code reg0[]} for the whole. */
  static String subfield(Field field, int offset, int bits) {
    if (offset == 0 && bits == field.bits()) {
      return field.text() + "[]";
    }
    return field.text() + "[" + offset + (bits == 1 ? "" : ".." + (offset + bits - 1)) + "]";
  }

  private static String flags(Match.Entry entry, String[] names) {
    if (entry.mask().low() >>> names.length != 0) {
      return entry.value() + "/" + entry.mask();
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.length; i++) {
      if ((entry.mask().low() >>> i & 1) == 1) {
        text.append((entry.value().low() >>> i & 1) == 1 ? '+' : '-').append(names[i]);
      }
    }
    return text.toString();
  }

  private static String fragment(Match.Entry entry) {
    return switch ((int) (entry.value().low() << 2 | entry.mask().low())) {
      case 0b00_11 -> "no";
      case 0b01_01 -> "yes";
      case 0b01_11 -> "first";
      case 0b11_11 -> "later";
      case 0b00_10 -> "not_later";
      default -> entry.value() + "/" + entry.mask();
    };
  }

  private static @Nullable String protocol(Match match) {
    int type = number(match, Field.ETH_TYPE);
    int protocol = number(match, Field.IP_PROTO);
    if (type == 0x0800) {
      return V4.get(protocol);
    }
    return type == 0x86dd ? V6.get(protocol) : null;
  }

  private static int number(Match match, Field field) {
    return match.exact(field).map(b -> (int) b.low()).orElse(-1);
  }
}
