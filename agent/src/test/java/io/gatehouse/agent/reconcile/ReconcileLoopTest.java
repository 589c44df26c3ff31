package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.Observation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ReconcileLoopTest {
  private static final long LIMIT_SECONDS = 60;
  private static final Flow HOLE =
      new Flow(0, 40_000, 5, Match.ANY, List.of(Actions.output(Actions.NORMAL)));

  private final Wakeups wakeups = new Wakeups();
  private final Spied devices = new Spied();
  private final AtomicLong clock = new AtomicLong();
  private final BlockingQueue<Health> reports = new LinkedBlockingQueue<>();
  private final ReconcileLoop loop =
      new ReconcileLoop(
          new Reconciler(RandomPolicies.SITE, devices, new CountingMeter()),
          devices,
          wakeups,
          reports::add,
          clock::get);

  @AfterEach
  void stop() throws InterruptedException {
    loop.stop();
  }

  private static Target target(long revision) {
    return new Target(
        Policy.of(
            revision,
            List.of(
                Policies.network("a/n", 7, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"))),
        List.of(),
        0);
  }

  /** Waits for a report that says that all is in force. */
  private void awaitInForce(long revision) throws InterruptedException {
    while (true) {
      Health health = reports.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(health).as("a report within the limit").isNotNull();
      boolean ok = health.components().stream().allMatch(c -> c.state() == Health.State.OK);
      if (health.appliedRevision() == revision && ok) {
        return;
      }
    }
  }

  @Test
  @DisplayName("F21: without a policy nothing is looked at, written or swept")
  void withoutAPolicyNothingHappens() throws InterruptedException {
    loop.start();
    for (int i = 0; i < 10; i++) {
      wakeups.wake();
    }
    loop.aim(target(3));
    awaitInForce(3);
    assertThat(devices.firstWanted).containsExactly("f0");
  }

  @Test
  void whatWakesItIsLookedAt() throws InterruptedException {
    loop.start();
    loop.aim(target(3));
    awaitInForce(3);
    devices.wipe = true;
    wakeups.wake();
    awaitInForce(3);
    assertThat(devices.fake.flows().flows()).isNotEmpty();
    loop.aim(target(4));
    awaitInForce(4);
  }

  @Test
  @DisplayName("F15: every 30 s nothing that was read before counts")
  void theAuditForgets() throws InterruptedException {
    loop.start();
    loop.aim(target(3));
    awaitInForce(3);
    assertThat(devices.forgotten.getCount()).isEqualTo(1);
    clock.addAndGet(ReconcileLoop.AUDIT_INTERVAL.toNanos());
    wakeups.wake();
    assertThat(devices.forgotten.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("a fight with somebody who undoes everything at once is bounded")
  void aFightIsBounded() throws InterruptedException {
    devices.fight = true;
    loop.start();
    loop.aim(target(3));
    assertThat(devices.tenBundles.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    // Without a bound there would be thousands by then; with it, one or two a second.
    assertThat(devices.hundredBundles.await(2, TimeUnit.SECONDS)).isFalse();
    devices.fight = false;
    awaitInForce(3);
  }

  @Test
  void stopEndsItBetweenTwoRounds() throws InterruptedException {
    loop.start();
    loop.aim(target(3));
    awaitInForce(3);
    loop.stop();
    loop.aim(target(4));
    assertThat(reports.poll(200, TimeUnit.MILLISECONDS)).isNull();
    assertThat(loop.target()).contains(target(4));
  }

  /** Devices that count, and that somebody else can fight over. */
  private final class Spied implements Devices {
    private final FakeDevices fake = new FakeDevices();
    private final CountDownLatch tenBundles = new CountDownLatch(10);
    private final CountDownLatch hundredBundles = new CountDownLatch(100);
    private final CountDownLatch forgotten = new CountDownLatch(1);
    private volatile boolean fight;
    private volatile boolean wipe;
    private volatile Collection<String> firstWanted = List.of();
    private boolean looked;

    Spied() {
      fake.plug("f0", "rep0");
    }

    @Override
    public Observation observe(Collection<String> functions) {
      if (!looked) {
        looked = true;
        firstWanted = List.copyOf(functions);
      }
      if (wipe) {
        wipe = false;
        fake.flows().clear();
      }
      return fake.observe(functions);
    }

    @Override
    public void forget() {
      forgotten.countDown();
    }

    @Override
    public void close(KernelChange change) throws DeviceException {
      fake.close(change);
    }

    @Override
    public void open(KernelChange change) throws DeviceException {
      fake.open(change);
    }

    @Override
    public Map<Integer, String> open(MeterChange change) throws DeviceException {
      return fake.open(change);
    }

    @Override
    public void close(MeterChange change) throws DeviceException {
      fake.close(change);
    }

    @Override
    public Map<Integer, String> open(ConnectionLimitChange change) throws DeviceException {
      return fake.open(change);
    }

    @Override
    public void close(ConnectionLimitChange change) throws DeviceException {
      fake.close(change);
    }

    @Override
    public Map<Long, String> apply(FlowChange change) throws DeviceException {
      Map<Long, String> refused = fake.apply(change);
      if (fight) {
        fake.flows().put(HOLE);
        tenBundles.countDown();
        hundredBundles.countDown();
        wakeups.wake();
      }
      return refused;
    }

    @Override
    public void apply(BridgeChange change) throws DeviceException {
      fake.apply(change);
    }
  }
}
