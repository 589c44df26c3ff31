package io.gatehouse.packaging.packet;

import io.gatehouse.packaging.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends frames in VXLAN (RFC 7348 §5) from wherever it is to a VTEP, in any network. */
public final class VxlanSender implements AutoCloseable {
  private static final int PORT = 4789;
  private static final int VNI_VALID = 0x08000000;

  private final DatagramChannel channel;
  private final InetSocketAddress vtep;

  /** Makes a sender whose packets come from the namespace's own address. */
  public VxlanSender(NetworkNamespace from, String vtep) {
    this.channel = from.openDatagramChannel(StandardProtocolFamily.INET);
    this.vtep = new InetSocketAddress(vtep, PORT);
  }

  public void send(int vni, byte[] frame) {
    ByteBuffer packet = ByteBuffer.allocate(8 + frame.length);
    packet.putInt(VNI_VALID).putInt(vni << 8).put(frame).flip();
    try {
      channel.send(packet, vtep);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
