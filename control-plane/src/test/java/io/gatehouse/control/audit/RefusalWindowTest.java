package io.gatehouse.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.storage.v1.RefusalEntry;
import io.gatehouse.wire.TimeWire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalWindowTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private final RefusalWindow window = new RefusalWindow();
  private final List<RefusalEntry> written = new ArrayList<>();

  @Test
  void theFirstIsWrittenAtOnceAndTheRestIsCounted() {
    for (int i = 0; i < 100; i++) {
      add(refusal("operators/ann", "Get", "tenants/acme"), START.plusMillis(i));
    }
    assertThat(written).hasSize(1);
    assertThat(window.over(START.plusSeconds(59))).isEmpty();
    List<RefusalEntry> rest = window.over(START.plusSeconds(60));
    assertThat(rest).hasSize(1);
    assertThat(rest.get(0).getCount()).isEqualTo(99);
    assertThat(rest.get(0).getTime()).isEqualTo(TimeWire.toProto(START.plusMillis(1)));
    add(refusal("operators/ann", "Get", "tenants/acme"), START.plusSeconds(61));
    assertThat(written).as("a new minute").hasSize(2);
  }

  @Test
  void whatDiffersIsWrittenApart() {
    add(refusal("operators/ann", "Get", "tenants/acme"), START);
    add(refusal("operators/bob", "Get", "tenants/acme"), START);
    add(refusal("operators/ann", "List", "tenants/acme"), START);
    add(refusal("operators/ann", "Get", "tenants/beta"), START);
    assertThat(written).hasSize(4);
    assertThat(window.all()).as("no repeats").isEmpty();
  }

  @Test
  void whoThinksOfManyNamesFillsOnlySoMuch() {
    for (int i = 0; i < 10_000; i++) {
      add(refusal("operators/mallory", "Get", "tenants/t" + i), START);
    }
    add(refusal("operators/ann", "Get", "tenants/acme"), START);
    assertThat(written).hasSize(RefusalWindow.KINDS_PER_ACTOR + 2);
    assertThat(total()).as("none is lost").isEqualTo(10_001);
  }

  @Test
  void manyActorsFillOnlySoMuch() {
    for (int i = 0; i < 20_000; i++) {
      add(refusal("address/192.0.2." + i, "Get", ""), START);
    }
    assertThat(written).hasSize(RefusalWindow.KINDS + 1);
    assertThat(total()).as("none is lost").isEqualTo(20_000);
  }

  /** A host has a whole /64: what it refuses itself with must not take the place of others'. */
  @Test
  void anIpv6NetworkIsOneActor() {
    for (int i = 0; i < 20_000; i++) {
      String address = "address/2001:db8:0:1:0:0:0:" + Integer.toHexString(i);
      add(refusal(address, "TLS handshake", ""), START);
    }
    add(refusal("address/2001:db8:0:2:0:0:0:1", "TLS handshake", ""), START);
    assertThat(written).hasSize(RefusalWindow.KINDS_PER_ACTOR + 2);
    assertThat(written.get(RefusalWindow.KINDS_PER_ACTOR).getActor())
        .isEqualTo("address/2001:db8:0:1::/64");
    assertThat(written.get(RefusalWindow.KINDS_PER_ACTOR + 1).getActor())
        .isEqualTo("address/2001:db8:0:2:0:0:0:1");
    assertThat(total()).as("none is lost").isEqualTo(20_001);
    window.over(START.plusSeconds(60));
    add(refusal("address/2001:db8:0:1:0:0:0:1", "TLS handshake", ""), START.plusSeconds(61));
    assertThat(written.get(written.size() - 1).getActor())
        .isEqualTo("address/2001:db8:0:1:0:0:0:1");
  }

  @Test
  void textIsCutAndHasNoLineBreaks() {
    RefusalEntry entry =
        window
            .add(
                refusal("a\nb", "x".repeat(1_000), "").toBuilder()
                    .setReason("r".repeat(9_999))
                    .build(),
                START)
            .orElseThrow();
    assertThat(entry.getActor()).isEqualTo("a?b");
    assertThat(entry.getAction()).hasSize(200);
    assertThat(entry.getReason()).hasSize(500);
  }

  private long total() {
    long repeats = window.all().stream().mapToLong(RefusalEntry::getCount).sum();
    return repeats + written.stream().mapToLong(RefusalEntry::getCount).sum();
  }

  private void add(RefusalEntry refusal, Instant now) {
    window.add(refusal, now).ifPresent(written::add);
  }

  private static RefusalEntry refusal(String actor, String action, String subject) {
    return RefusalEntry.newBuilder()
        .setActor(actor)
        .setAction(action)
        .setSubject(subject)
        .setCode("PERMISSION_DENIED")
        .build();
  }
}
