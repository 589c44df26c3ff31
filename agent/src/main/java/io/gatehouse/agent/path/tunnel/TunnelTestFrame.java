package io.gatehouse.agent.path.tunnel;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ProbeIdentity;
import io.gatehouse.agent.state.path.TunnelTestKind;
import io.gatehouse.model.net.IpAddress;
import java.util.Arrays;
import java.util.Optional;

/**
 * A frame for a tunnel, made of four numbers alone, so that who receives it can make it again and
 * compare. Behind the headers, with their checksums: 4 bytes "GHTT", version 1, kind, 2 bytes size,
 * 8 bytes nonce, then bytes that follow from the nonce.
 *
 * @param innerBytes of the IP packet, {@link #MIN_BYTES}..65535
 * @param nonce says which one it is; the source port follows from it, so that tunnels spread it
 *     over equal paths
 */
public record TunnelTestFrame(TunnelTestKind kind, int innerBytes, long nonce) {
  /** Enough for all headers. */
  public static final int MIN_BYTES = 100;

  private static final int MAGIC = 0x4748_5454;
  private static final int VERSION = 1;
  private static final int SAID_BYTES = 16;

  private static final int ETHERNET = 14;
  private static final int IPV4 = 20;
  private static final int IPV6 = 40;
  private static final int UDP = 8;
  private static final int TCP = 20;
  private static final int UDP_PROTOCOL = 17;

  private static final int IPV4_TYPE = 0x0800;
  private static final int IPV6_TYPE = 0x86dd;
  private static final int TTL = 64;
  private static final int DONT_FRAGMENT = 0x4000;
  private static final int FIRST_PORT = 0xc000;
  private static final int PORT_BITS = 0x3fff;

  /** Discard (RFC 863): should such a packet ever get out, nobody answers. */
  private static final int PORT = 9;

  private static final int TCP_HEADER_AND_ACK = 0x5010;
  private static final IpAddress V4_FROM = IpAddress.parse("169.254.0.2");
  private static final IpAddress V4_TO = IpAddress.parse("169.254.0.3");
  private static final IpAddress V6_FROM = IpAddress.parse("fe80::67:68ff:fe00:3");
  private static final IpAddress V6_TO = IpAddress.parse("fe80::67:68ff:fe00:4");

  /** The frame, from the Ethernet header on. */
  public Octets bytes() {
    byte[] frame = new byte[ETHERNET + innerBytes];
    ethernet(frame);
    int transport = ETHERNET + (kind.isV4() ? IPV4 : IPV6);
    if (kind.isV4()) {
      ipv4(frame);
    } else {
      ipv6(frame);
    }
    transport(frame, transport);
    say(frame, transport + transportBytes());
    int sum = checksum(frame, transport, frame.length, pseudoHeader(frame, transport));
    boolean udp = kind.protocol() == UDP_PROTOCOL;
    // RFC 768: a sum of 0 is sent as all ones.
    put16(frame, transport + (udp ? 6 : 16), udp && sum == 0 ? 0xffff : sum);
    return Octets.of(frame);
  }

  /** Whether a frame is this one, byte for byte; one of another length is not looked at. */
  public boolean isIntact(Octets frame) {
    return frame.size() == ETHERNET + innerBytes && bytes().equals(frame);
  }

  private void ethernet(byte[] frame) {
    put(frame, 0, ProbeIdentity.MAC.toBytes());
    put(frame, 6, ProbeIdentity.MAC.toBytes());
    put16(frame, 12, kind.isV4() ? IPV4_TYPE : IPV6_TYPE);
  }

  private void ipv4(byte[] frame) {
    put16(frame, ETHERNET, 0x4500);
    put16(frame, ETHERNET + 2, innerBytes);
    put16(frame, ETHERNET + 6, DONT_FRAGMENT);
    frame[ETHERNET + 8] = TTL;
    frame[ETHERNET + 9] = (byte) kind.protocol();
    put(frame, ETHERNET + 12, V4_FROM.toBytes());
    put(frame, ETHERNET + 16, V4_TO.toBytes());
    put16(frame, ETHERNET + 10, checksum(frame, ETHERNET, ETHERNET + IPV4, 0));
  }

  private void ipv6(byte[] frame) {
    frame[ETHERNET] = 0x60;
    put16(frame, ETHERNET + 4, innerBytes - IPV6);
    frame[ETHERNET + 6] = (byte) kind.protocol();
    frame[ETHERNET + 7] = TTL;
    put(frame, ETHERNET + 8, V6_FROM.toBytes());
    put(frame, ETHERNET + 24, V6_TO.toBytes());
  }

  private void transport(byte[] frame, int at) {
    put16(frame, at, FIRST_PORT | ((int) nonce & PORT_BITS));
    put16(frame, at + 2, PORT);
    if (kind.protocol() == UDP_PROTOCOL) {
      put16(frame, at + 4, frame.length - at);
      return;
    }
    put32(frame, at + 4, (int) nonce);
    put16(frame, at + 12, TCP_HEADER_AND_ACK);
    put16(frame, at + 14, 0xffff);
  }

  private void say(byte[] frame, int at) {
    put32(frame, at, MAGIC);
    frame[at + 4] = VERSION;
    frame[at + 5] = (byte) kind.code();
    put16(frame, at + 6, innerBytes);
    put32(frame, at + 8, (int) (nonce >>> 32));
    put32(frame, at + 12, (int) nonce);
    long state = nonce;
    for (int i = at + SAID_BYTES; i < frame.length; i++) {
      // A linear congruential generator (Knuth's MMIX): every byte value comes, and none stands
      // out.
      state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      frame[i] = (byte) (state >>> 56);
    }
  }

  private int transportBytes() {
    return kind.protocol() == UDP_PROTOCOL ? UDP : TCP;
  }

  private long pseudoHeader(byte[] frame, int transport) {
    int from = ETHERNET + (kind.isV4() ? 12 : 8);
    return sum(frame, from, transport) + kind.protocol() + (frame.length - transport);
  }

  /** What a frame says that it is; empty if it is none of these. */
  public static Optional<TunnelTestFrame> read(Octets octets) {
    byte[] frame = octets.toBytes();
    if (frame.length < ETHERNET + MIN_BYTES) {
      return Optional.empty();
    }
    int type = get16(frame, 12);
    if (type != IPV4_TYPE && type != IPV6_TYPE) {
      return Optional.empty();
    }
    int transport = ETHERNET + (type == IPV4_TYPE ? IPV4 : IPV6);
    int protocol = frame[ETHERNET + (type == IPV4_TYPE ? 9 : 6)];
    int at = transport + (protocol == UDP_PROTOCOL ? UDP : TCP);
    int size = get16(frame, at + 6);
    if (get32(frame, at) != MAGIC || frame[at + 4] != VERSION || size < MIN_BYTES) {
      return Optional.empty();
    }
    long nonce =
        (get32(frame, at + 8) & 0xffff_ffffL) << 32 | (get32(frame, at + 12) & 0xffff_ffffL);
    int code = frame[at + 5];
    return Arrays.stream(TunnelTestKind.values())
        .filter(kind -> kind.code() == code)
        .findFirst()
        .map(kind -> new TunnelTestFrame(kind, size, nonce));
  }

  private static int checksum(byte[] bytes, int from, int to, long start) {
    long sum = start + sum(bytes, from, to);
    while (sum >> 16 != 0) {
      sum = (sum & 0xffff) + (sum >> 16);
    }
    return (int) ~sum & 0xffff;
  }

  private static long sum(byte[] bytes, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += (long) (bytes[i] & 0xff) << ((i - from) % 2 == 0 ? 8 : 0);
    }
    return sum;
  }

  private static void put(byte[] frame, int at, byte[] value) {
    System.arraycopy(value, 0, frame, at, value.length);
  }

  private static void put16(byte[] frame, int at, int value) {
    frame[at] = (byte) (value >> 8);
    frame[at + 1] = (byte) value;
  }

  private static void put32(byte[] frame, int at, int value) {
    put16(frame, at, value >> 16);
    put16(frame, at + 2, value);
  }

  private static int get16(byte[] frame, int at) {
    return (frame[at] & 0xff) << 8 | (frame[at + 1] & 0xff);
  }

  private static int get32(byte[] frame, int at) {
    return get16(frame, at) << 16 | get16(frame, at + 2);
  }
}
