package io.gatehouse.agent.observe.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.lldp.LldpClient;
import io.gatehouse.agent.device.netlink.NetlinkClient;
import io.gatehouse.agent.device.ovsdb.OvsdbClient;
import io.gatehouse.agent.device.ovsdb.OvsdbConfig;
import io.gatehouse.agent.device.ovsdb.OvsdbListener;
import io.gatehouse.agent.device.ovsdb.OvsdbServerProcess;
import io.gatehouse.agent.device.ovsdb.OvsdbSnapshot;
import io.gatehouse.agent.observe.BridgeObserver;
import io.gatehouse.agent.state.underlay.Neighbours;
import io.gatehouse.agent.state.underlay.Neighbours.Neighbour;
import io.gatehouse.agent.state.underlay.Representors;
import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.agent.state.underlay.UnderlayStack.Kind;
import io.gatehouse.agent.state.underlay.UnderlayStack.Layer;
import io.gatehouse.model.net.IpAddress;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A DPU with a bridge and an uplink, and a switch that says what it takes: two real lldpd. */
@Timeout(180)
class UnderlayObserverIT {
  private static final String VTEP = "172.16.1.1";

  /** Organization and subtype of the maximum frame size (IEEE 802.3 79.3.4). */
  private static final String FRAME_TLV =
      "configure lldp custom-tlv add oui 00,12,0f subtype 4 oui-info ";

  @TempDir private Path folder;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final CountDownLatch heard = new CountDownLatch(1);
  private final AtomicLong now = new AtomicLong();
  private final List<Process> daemons = new ArrayList<>();
  private TestNamespace dpu;
  private TestNamespace leaf;
  private OvsdbServerProcess server;
  private OvsdbClient database;
  private NetlinkClient netlink;

  @BeforeEach
  void start() throws Exception {
    // lldpcli gives up root, and must come to the socket of lldpd.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    dpu = new TestNamespace();
    leaf = new TestNamespace();
    dpu.sh("ip link add p0 mtu 9000 type veth peer name leaf0 mtu 9000 netns " + leaf.name());
    dpu.sh("ip link set dev p0 up");
    leaf.sh("ip link set dev leaf0 up");
    netlink = dpu.run(() -> NetlinkClient.open(Duration.ofSeconds(30)));
    server = OvsdbServerProcess.start(folder);
    database =
        new OvsdbClient(
            OvsdbConfig.of(server.unix(), BridgeObserver.MONITORED),
            Optional.empty(),
            loops,
            loops,
            () -> 0,
            new Recorder());
    database.start();
    assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void stop() throws Exception {
    for (Process daemon : daemons) {
      daemon.descendants().forEach(ProcessHandle::destroy);
      daemon.destroy();
      daemon.waitFor();
    }
    database.close();
    server.close();
    netlink.close();
    dpu.close();
    leaf.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private UnderlayObserver observer() {
    return new UnderlayObserver(
        netlink,
        database::snapshot,
        new LldpClient(LldpClient.DEFAULT_PROGRAM, folder.resolve("dpu"), Duration.ofSeconds(60)),
        IpAddress.parse(VTEP),
        new NoTenants(),
        now::get);
  }

  /** Returns when it listens. */
  private void lldpd(TestNamespace place, String socket, String device) throws Exception {
    Process daemon = place.start("lldpd -d -u " + folder.resolve(socket) + " -I " + device);
    daemons.add(daemon);
    BufferedReader log = daemon.inputReader();
    String line = log.readLine();
    while (line != null && !line.contains("should resume operations")) {
      line = log.readLine();
    }
    assertThat(line).as("lldpd in %s listens", place.name()).isNotNull();
  }

  private String leafSays(String command) throws Exception {
    return leaf.sh("lldpcli -u " + folder.resolve("leaf") + " " + command);
  }

  @Test
  void whatTheSwitchTakesIsHeardFromTheSwitch() throws Exception {
    dpu.sh("ip address add " + VTEP + "/24 dev p0");
    lldpd(dpu, "dpu", "p0");
    lldpd(leaf, "leaf", "leaf0");
    leafSays("configure system hostname leaf1");
    leafSays("configure lldp portidsubtype local Ethernet1_7");
    // lldpd says nothing of frames by itself: Linux does not know them.
    leafSays(FRAME_TLV + "05,ee");
    UnderlayObserver observer = observer();
    UnderlayStack stack = await(observer);
    assertThat(stack.device()).isEqualTo("p0");
    assertThat(stack.layers()).containsExactly(new Layer("p0", Kind.UPLINK, 9_000, 0));
    assertThat(stack.neighbours().knowledge()).isEqualTo(Neighbours.Knowledge.KNOWN);
    assertThat(stack.neighbours().known())
        .containsExactly(new Neighbour("p0", "leaf1", "Ethernet1_7", 1_518));

    stop(daemons.get(0));
    assertThat(observer.observe().orElseThrow().neighbours())
        .as("within the minute nobody is asked")
        .isEqualTo(stack.neighbours());
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(observer.observe().orElseThrow().neighbours().known()).isEmpty();
  }

  private static void stop(Process daemon) throws InterruptedException {
    daemon.descendants().forEach(ProcessHandle::destroy);
    daemon.destroy();
    daemon.waitFor();
  }

  /** Asks again and again: the switch's frames come when they come. */
  private UnderlayStack await(UnderlayObserver observer) throws Exception {
    while (true) {
      UnderlayStack stack = observer.observe().orElseThrow();
      boolean said =
          stack.neighbours().known().stream().anyMatch(neighbour -> neighbour.maxFrameBytes() != 0);
      if (said) {
        return stack;
      }
      leafSays("update");
      now.addAndGet(Duration.ofMinutes(1).toNanos());
    }
  }

  @Test
  void theLayersAreThoseOfTheKernelAndTheSwitch() throws Exception {
    // Without ovs-vswitchd its own devices are played by others.
    dpu.sh("ip link add br-phy mtu 1500 type veth peer name other0");
    dpu.sh("ip link add vtep0 mtu 9000 type veth peer name other1");
    dpu.sh("ip address add " + VTEP + "/24 dev vtep0");
    server.vsctl("add-br", "br-phy", "--", "add-port", "br-phy", "p0");
    server.vsctl(
        "add-port", "br-phy", "vtep0", "tag=7", "--", "set", "interface", "vtep0", "type=internal");
    UnderlayObserver observer = observer();
    UnderlayStack stack = observer.observe().orElseThrow();
    while (stack.layers().size() < 2) {
      stack = observer.observe().orElseThrow();
    }
    assertThat(stack.device()).isEqualTo("vtep0");
    assertThat(stack.layers())
        .containsExactly(
            new Layer("br-phy", Kind.SWITCH, 1_500, 0), new Layer("p0", Kind.UPLINK, 9_000, 1));
    assertThat(stack.neighbours()).isEqualTo(Neighbours.ABSENT);
  }

  private static final class NoTenants implements UnderlayObserver.Tenants {
    @Override
    public Set<String> functions() {
      return Set.of();
    }

    @Override
    public Representors representors() {
      return Representors.NONE;
    }
  }

  private final class Recorder implements OvsdbListener {
    @Override
    public void connected(OvsdbSnapshot snapshot) {
      heard.countDown();
    }

    @Override
    public void changed(OvsdbSnapshot snapshot) {}

    @Override
    public void disconnected(DeviceException cause) {}
  }
}
