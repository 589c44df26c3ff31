package io.gatehouse.control.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AddressGateTest {
  private static final InetAddress ONE = InetAddresses.forString("192.0.2.1");
  private static final InetAddress OTHER = InetAddresses.forString("192.0.2.2");

  private final AtomicLong nanos = new AtomicLong();

  @Test
  void soManyAtATimeAndNoMore() {
    AddressGate gate = new AddressGate(2, 1_000, nanos::get);
    assertThat(gate.enter(ONE)).isTrue();
    assertThat(gate.enter(ONE)).isTrue();
    assertThat(gate.enter(ONE)).isFalse();
    assertThat(gate.enter(OTHER)).as("another address").isTrue();
    gate.leave(ONE);
    assertThat(gate.enter(ONE)).isTrue();
    assertThat(gate.openFrom(ONE)).isEqualTo(2);
  }

  @Test
  void whoComesTooFastWaits() {
    AddressGate gate = new AddressGate(1_000_000, 5, nanos::get);
    int first = entered(gate, 1_000);
    nanos.addAndGet(1_000_000_000L);
    int second = entered(gate, 1_000);
    assertThat(first).isEqualTo(50);
    assertThat(second).isEqualTo(5);
    assertThat(gate.enter(OTHER)).isTrue();
  }

  @Test
  void oneHostOfIpv6HasOneAddress() {
    AddressGate gate = new AddressGate(3, 1_000, nanos::get);
    int entered = 0;
    for (int i = 1; i < 100; i++) {
      entered += gate.enter(InetAddresses.forString("2001:db8:1:2::" + i)) ? 1 : 0;
    }
    assertThat(entered).isEqualTo(3);
    assertThat(gate.enter(InetAddresses.forString("2001:db8:1:3::1"))).isTrue();
  }

  private static int entered(AddressGate gate, int tries) {
    int entered = 0;
    for (int i = 0; i < tries; i++) {
      entered += gate.enter(ONE) ? 1 : 0;
    }
    return entered;
  }
}
