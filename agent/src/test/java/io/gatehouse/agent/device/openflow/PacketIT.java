package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.openflow.codec.PacketIn;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Octets;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Packets between a real switch and the client. */
final class PacketIT {
  private static final String BRIDGE = "gh-int";
  private static final String ARP =
      "ffffffffffff020000000001080600010800060400010200000000010a0000010000000000000a000002";

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final RecordingListener packets = new RecordingListener();
  private final RecordingListener flows = new RecordingListener();
  private VswitchdProcess vswitchd;
  private OpenFlowClient client;
  private OpenFlowClient reconciler;

  @BeforeEach
  void start() throws InterruptedException {
    vswitchd = VswitchdProcess.start("ghpk");
    vswitchd.addBridge(BRIDGE);
    client = connect(OpenFlowConfig.Watch.PACKETS, packets);
    reconciler = connect(OpenFlowConfig.Watch.PORTS, flows);
  }

  @AfterEach
  void stop() {
    client.close();
    reconciler.close();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    vswitchd.close();
  }

  private OpenFlowClient connect(OpenFlowConfig.Watch watch, RecordingListener listener)
      throws InterruptedException {
    OpenFlowClient made =
        new OpenFlowClient(
            OpenFlowConfig.ofBridge(vswitchd.directory(), BRIDGE).watching(watch),
            group,
            this::later,
            () -> 0,
            listener);
    made.start();
    listener.await("connected");
    return made;
  }

  private void later(Duration delay, Runnable task) {
    var unused = group.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Test
  void aPacketArrivesWithPortAndUserdataWhereItIsAskedForAndNowhereElse() throws Exception {
    vswitchd.ofctl(
        "add-flow",
        BRIDGE,
        "arp,actions=load:0x64->NXM_NX_REG0[],load:0x105aa->NXM_NX_REG5[],controller(userdata=01.02)");

    vswitchd.sendPacket(BRIDGE);

    Octets packet = Octets.of(HexFormat.of().parseHex(ARP));
    assertThat(packets.await("packet").value())
        .isEqualTo(
            new PacketIn(
                Map.of(
                    Field.IN_PORT, Bits.of(Actions.LOCAL & 0xffff_ffffL),
                    Field.XREG0, Bits.of(0x64L << 32),
                    Field.XREG2, Bits.of(0x105aa)),
                Octets.of((byte) 1, (byte) 2),
                packet));
    reconciler.barrier().get(20, TimeUnit.SECONDS);
    assertThat(flows.isQuiet()).isTrue();
  }

  @Test
  void aPacketGoesOutAtThePortAskedFor() throws Exception {
    vswitchd.vsctl("add-port", BRIDGE, "p1", "--", "set", "interface", "p1", "type=internal");
    vswitchd.run(List.of("ip", "-n", vswitchd.namespace(), "link", "set", "dev", "p1", "up"));
    String number = vswitchd.vsctl("get", "interface", "p1", "ofport").trim();

    client.packetOut(Integer.parseInt(number), Octets.of(HexFormat.of().parseHex(ARP)));
    client.barrier().get(20, TimeUnit.SECONDS);

    assertThat(vswitchd.ofctl("dump-ports", BRIDGE, number)).contains("tx pkts=1, bytes=42");
  }
}
