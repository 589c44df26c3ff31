package io.gatehouse.packaging.packet;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.packaging.packet.Frames.Ends;
import java.nio.ByteBuffer;

/**
 * First packets of connections, with right checksums: a connection tracker takes no others. The
 * mark is their payload.
 */
public final class Openings {
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int ICMP = 1;
  private static final int ICMPV6 = 58;
  private static final int ECHO_REQUEST = 8;
  private static final int ECHO_REQUEST_V6 = 128;
  private static final int SYN = 0x5002;

  private Openings() {}

  /**
   * Between whom.
   *
   * @param source IP address
   * @param target IP address, of the same family
   */
  public record Path(Ends ends, IpAddress source, IpAddress target) {}

  /** A TCP segment with SYN. */
  public static byte[] tcp(Path path, int from, int to, Mark mark) {
    ByteBuffer segment = ByteBuffer.allocate(20 + Mark.BYTES);
    segment.putShort((short) from).putShort((short) to).putInt(1).putInt(0);
    segment.putShort((short) SYN).putShort((short) 1024).putInt(0).put(mark.bytes());
    return frame(path, TCP, segment, 16);
  }

  /** A UDP datagram. */
  public static byte[] udp(Path path, int from, int to, Mark mark) {
    ByteBuffer datagram = ByteBuffer.allocate(8 + Mark.BYTES);
    datagram.putShort((short) from).putShort((short) to);
    datagram.putShort((short) datagram.capacity()).putShort((short) 0).put(mark.bytes());
    return frame(path, UDP, datagram, 6);
  }

  /** An echo request, ICMP or ICMPv6 as the addresses are. */
  public static byte[] echo(Path path, int id, Mark mark) {
    boolean v4 = path.source().isV4();
    ByteBuffer message = ByteBuffer.allocate(8 + Mark.BYTES);
    message.put((byte) (v4 ? ECHO_REQUEST : ECHO_REQUEST_V6)).put((byte) 0).putShort((short) 0);
    message.putShort((short) id).putShort((short) 1).put(mark.bytes());
    return frame(path, v4 ? ICMP : ICMPV6, message, 2);
  }

  private static byte[] frame(Path path, int protocol, ByteBuffer payload, int checksumAt) {
    // ICMP of IPv4 is the one that leaves the addresses out (RFC 792).
    int sum = protocol == ICMP ? 0 : pseudoHeader(path, protocol, payload.capacity());
    payload.putShort(checksumAt, (short) ~fold(sum + sum(payload, 0, payload.capacity())));
    boolean v4 = path.source().isV4();
    int header = v4 ? 20 : 40;
    ByteBuffer frame = ByteBuffer.allocate(14 + header + payload.capacity());
    frame.put(path.ends().target().toBytes()).put(path.ends().source().toBytes());
    frame.putShort((short) (v4 ? 0x0800 : 0x86dd));
    if (v4) {
      frame.put((byte) 0x45).put((byte) 0).putShort((short) (20 + payload.capacity())).putInt(0);
      frame.put((byte) 64).put((byte) protocol).putShort((short) 0);
    } else {
      frame.putInt(0x60000000).putShort((short) payload.capacity());
      frame.put((byte) protocol).put((byte) 64);
    }
    frame.put(path.source().toBytes()).put(path.target().toBytes());
    if (v4) {
      frame.putShort(14 + 10, (short) ~fold(sum(frame, 14, 14 + 20)));
    }
    byte[] bytes = new byte[frame.capacity()];
    frame.put(payload.rewind()).rewind().get(bytes);
    return bytes;
  }

  private static int pseudoHeader(Path path, int protocol, int length) {
    ByteBuffer source = ByteBuffer.wrap(path.source().toBytes());
    ByteBuffer target = ByteBuffer.wrap(path.target().toBytes());
    return sum(source, 0, source.capacity())
        + sum(target, 0, target.capacity())
        + protocol
        + length;
  }

  private static int sum(ByteBuffer bytes, int from, int to) {
    int sum = 0;
    for (int at = from; at < to; at += 2) {
      sum += bytes.getShort(at) & 0xffff;
    }
    return sum;
  }

  private static int fold(int sum) {
    int once = (sum & 0xffff) + (sum >>> 16);
    return (once & 0xffff) + (once >>> 16);
  }
}
