package io.gatehouse.agent.device.netlink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Datagrams of a real kernel (6.18, x86-64), one a line, in hexadecimal. */
final class Captured {
  static final List<String> ALL =
      List.of("links", "addresses", "routes4", "routes6", "ack", "error-mtu", "error-mtu-uncapped");

  private Captured() {}

  static List<byte[]> datagrams(String name) throws IOException {
    String file = "/netlink/" + name + ".hex";
    try (InputStream stream = Objects.requireNonNull(Captured.class.getResourceAsStream(file))) {
      return new String(stream.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(HexFormat.of()::parseHex)
          .toList();
    }
  }

  static List<NetlinkMessage> messages(String name) throws Exception {
    List<NetlinkMessage> messages = new ArrayList<>();
    for (byte[] datagram : datagrams(name)) {
      messages.addAll(NetlinkCodec.messages(ByteBuffer.wrap(datagram)));
    }
    return messages;
  }
}
