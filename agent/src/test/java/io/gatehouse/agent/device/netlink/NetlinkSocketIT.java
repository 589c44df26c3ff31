package io.gatehouse.agent.device.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.netlink.NetlinkCodec.Answer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetlinkSocketIT {
  private static final int EBUSY = 16;

  private TestNamespace namespace;
  private NetlinkSocket socket;

  @BeforeEach
  void open() throws Exception {
    namespace = new TestNamespace();
    socket = namespace.run(() -> NetlinkSocket.open(NetlinkProtocol.ROUTE, 0));
  }

  @AfterEach
  void close() throws Exception {
    namespace.close();
    socket.close();
  }

  @Test
  void endsADumpThatWasGivenUpByDrainingIt() throws Exception {
    addVeths();
    send(1);
    NetlinkMessage first = receive();
    assertThat(first.type()).isEqualTo(Rtnetlink.NEW_LINK);
    send(2);
    NetlinkMessage refused = receive();
    while (refused.sequence() != 2) {
      refused = receive();
    }
    assertThat(NetlinkCodec.answer(refused)).isEqualTo(new Answer(EBUSY, null));
    assertThat(socket.drain(1000)).isPositive();
    send(3);
    NetlinkMessage again = receive();
    assertThat(again.type()).isEqualTo(Rtnetlink.NEW_LINK);
    assertThat(again.sequence()).isEqualTo(3);
  }

  @Test
  void givesUpAtTheDeadline() {
    assertThatThrownBy(() -> socket.receive(System.nanoTime() + Duration.ofMillis(20).toNanos()))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
        .hasMessageContaining("did not answer in time");
  }

  @Test
  void seesAllThatStaysWhileLinksComeAndGo() throws Exception {
    addVeths();
    StringBuilder batch = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      batch.append("link add x type veth peer name y\nlink del x\n");
    }
    int dumps = 0;
    try (NetlinkClient client = namespace.run(() -> NetlinkClient.open(Duration.ofSeconds(30)))) {
      Process ip = batch(batch.toString());
      while (ip.isAlive() || dumps == 0) {
        assertThat(client.links()).extracting(Link::name).contains("a0", "a149", "b0", "b149");
        dumps++;
      }
    }
  }

  private void send(int sequence) throws DeviceException {
    socket.send(NetlinkCodec.encode(List.of(RtnetlinkRequests.dumpLinks()), sequence));
  }

  private NetlinkMessage receive() throws DeviceException {
    ByteBuffer datagram = socket.receive(System.nanoTime() + Duration.ofSeconds(10).toNanos());
    return NetlinkCodec.messages(Objects.requireNonNull(datagram)).get(0);
  }

  private void addVeths() throws Exception {
    StringBuilder batch = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      batch.append("link add a" + i + " type veth peer name b" + i + "\n");
    }
    assertThat(batch(batch.toString()).waitFor()).isZero();
  }

  private Process batch(String lines) throws Exception {
    Process ip = namespace.start("ip -batch -");
    try (var input = ip.outputWriter()) {
      input.write(lines);
    }
    return ip;
  }
}
