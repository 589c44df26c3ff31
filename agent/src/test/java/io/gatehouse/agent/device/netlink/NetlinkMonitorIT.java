package io.gatehouse.agent.device.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetlinkMonitorIT {
  private static final long MAX_SECONDS = 20;

  private TestNamespace namespace;
  private NetlinkClient client;
  private NetlinkMonitor monitor;
  private final Semaphore changes = new Semaphore(0);

  @BeforeEach
  void open() throws Exception {
    namespace = new TestNamespace();
    client = namespace.run(() -> NetlinkClient.open(Duration.ofSeconds(10)));
    namespace.sh("ip link add v0 type veth peer name v1");
    namespace.sh("ip link set v0 up");
    namespace.sh("ip addr add 10.0.0.1/24 dev v0");
    monitor =
        namespace.run(
            () ->
                NetlinkMonitor.start(
                    NetlinkMonitor.Subject.LINKS_ADDRESSES_ROUTES, changes::release));
  }

  @AfterEach
  void close() throws Exception {
    namespace.close();
    monitor.close();
    client.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ip link add w0 type veth peer name w1",
        "ip link set v1 name w0",
        "ip link del v1",
        "ip link set v0 mtu 1400",
        "ip addr add 10.1.0.1/24 dev lo",
        "ip addr add fd00::1/64 dev lo",
        "ip route add 10.7.0.0/16 dev v0",
        "ip route add fd07::/64 dev v0",
      })
  void tellsOfEachKindOfChange(String command) throws Exception {
    namespace.sh(command);
    assertThat(changes.tryAcquire(MAX_SECONDS, TimeUnit.SECONDS)).as(command).isTrue();
  }

  @Test
  void seesAVethComeChangeItsNameAndGo() throws Exception {
    namespace.sh("ip link add w0 type veth peer name w1");
    awaitLinks("lo", "v0", "v1", "w0", "w1");
    namespace.sh("ip link set w0 name x0");
    awaitLinks("lo", "v0", "v1", "x0", "w1");
    namespace.sh("ip link del x0");
    awaitLinks("lo", "v0", "v1");
  }

  @Test
  void tellsManyChangesInFewCallsAndLosesNone() throws Exception {
    CountDownLatch inCall = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    Semaphore later = new Semaphore(0);
    NetlinkMonitor slow =
        namespace.run(
            () ->
                NetlinkMonitor.start(
                    NetlinkMonitor.Subject.LINKS_ADDRESSES_ROUTES,
                    () -> {
                      if (calls.incrementAndGet() > 1) {
                        later.release();
                        return;
                      }
                      inCall.countDown();
                      awaitOrFail(goOn);
                    }));
    int v1 = index("v1");
    client.setMtu(v1, 1300);
    awaitOrFail(inCall);
    // More than the socket's queue holds: the kernel drops some and says so (ENOBUFS).
    for (int i = 0; i < 3000; i++) {
      client.setMtu(v1, 1301 + i % 2);
    }
    client.setAdmin(v1, AdminState.UP);
    goOn.countDown();
    assertThat(later.tryAcquire(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    slow.close();
    assertThat(calls.get()).isLessThan(100);
  }

  @Test
  void endsWhileItWaitsAndIsSilentAfterwards() throws Exception {
    monitor.close();
    monitor.close();
    changes.drainPermits();
    namespace.sh("ip link set v0 mtu 1400");
    assertThat(changes.availablePermits()).isZero();
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals("netlink-monitor") && t.isAlive()))
        .isEmpty();
  }

  @Test
  void canBeEndedByItsListener() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    NetlinkMonitor[] own = new NetlinkMonitor[1];
    namespace.run(
        () -> {
          own[0] =
              NetlinkMonitor.start(
                  NetlinkMonitor.Subject.LINKS_ADDRESSES_ROUTES,
                  () -> {
                    own[0].close();
                    ended.countDown();
                  });
          return own[0];
        });
    namespace.sh("ip link set v0 mtu 1400");
    awaitOrFail(ended);
    own[0].close();
  }

  private int index(String name) throws Exception {
    return client.links().stream()
        .filter(l -> l.name().equals(name))
        .mapToInt(Link::index)
        .findFirst()
        .orElseThrow();
  }

  private void awaitLinks(String... names) throws Exception {
    List<String> wanted = Stream.of(names).sorted().toList();
    do {
      assertThat(changes.tryAcquire(MAX_SECONDS, TimeUnit.SECONDS)).as("%s", wanted).isTrue();
    } while (!client.links().stream().map(Link::name).sorted().toList().equals(wanted));
    changes.drainPermits();
  }

  private static void awaitOrFail(CountDownLatch latch) {
    try {
      if (!latch.await(MAX_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("not in time");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
