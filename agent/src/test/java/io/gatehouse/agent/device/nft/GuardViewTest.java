package io.gatehouse.agent.device.nft;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.netlink.NetlinkMessage;
import io.gatehouse.agent.device.netlink.NetlinkRequest;
import io.gatehouse.agent.device.nft.NfTablesReader.Chain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages of nf_tables, and what they make of the guard's table. */
final class GuardViewTest {
  private static final Chain GUARD = Chain.guardOf("v0");

  private static List<Chain> read(int type, ByteBuffer body) throws DeviceException {
    return NfTablesReader.chains(new NetlinkMessage(type, 0, 1, body));
  }

  @Test
  void theRequestSaysWhatTheViewWants() throws DeviceException {
    NetlinkRequest request = NfTablesRequests.addGuard(GuardTable.TABLE, "v0");
    // The kernel adds the flag that says that a chain hangs on a hook.
    Chain asked = read(request.type(), request.body()).get(0);
    assertThat(asked)
        .isEqualTo(
            new Chain(
                GUARD.table(),
                "v0",
                GUARD.hook(),
                GUARD.priority(),
                "v0",
                GUARD.policy(),
                GUARD.type(),
                0));
  }

  @Test
  @DisplayName("a chain that differs in anything at all does not guard")
  void anyDifferenceBends() {
    List<Chain> bent =
        List.of(
            new Chain("gatehouse", "v0", 1, -500, "v0", 0, "filter", 1),
            new Chain("gatehouse", "v0", 0, -499, "v0", 0, "filter", 1),
            new Chain("gatehouse", "v0", 0, -500, "v1", 0, "filter", 1),
            new Chain("gatehouse", "v0", 0, -500, "", 0, "filter", 1),
            new Chain("gatehouse", "v0", 0, -500, "v0", 1, "filter", 1),
            new Chain("gatehouse", "v0", 0, -500, "v0", 0, "", 1),
            new Chain("gatehouse", "v0", 0, -500, "v0", 0, "filter", 3));
    assertThat(GuardView.of(List.of(GUARD), Set.of(), false).guarded()).containsExactly("v0");
    for (Chain chain : bent) {
      GuardView view = GuardView.of(List.of(chain), Set.of(), false);
      assertThat(view.guarded()).as("%s", chain).isEmpty();
      assertThat(view.bentOf(Set.of("v0", "v1"))).containsExactly("v0");
    }
    assertThat(GuardView.of(List.of(GUARD), Set.of("v0"), false).guarded()).isEmpty();
    assertThat(GuardView.of(List.of(GUARD), Set.of(), true).guarded()).isEmpty();
  }

  @Test
  @DisplayName("cut anywhere or changed anywhere, a message is read or refused, never a crash")
  void damaged() {
    NetlinkRequest request = NfTablesRequests.addGuard(GuardTable.TABLE, "v0");
    byte[] bytes = new byte[request.body().remaining()];
    request.body().duplicate().get(bytes);
    int refused = 0;
    for (int length = 0; length < bytes.length; length++) {
      refused += isRefused(bytes.clone(), length) ? 1 : 0;
    }
    assertThat(refused).isPositive();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = bytes.clone();
      for (int j = 0; j < 3; j++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      refused += isRefused(changed, changed.length) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(100);
  }

  private static boolean isRefused(byte[] bytes, int length) {
    try {
      ByteBuffer body = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.nativeOrder());
      List<Chain> read = read(NfTables.NEW_CHAIN, body);
      assertThat(read).hasSize(1);
      return false;
    } catch (DeviceException e) {
      assertThat(e.kind()).isEqualTo(DeviceException.Kind.PROTOCOL);
      return true;
    }
  }
}
