package io.gatehouse.control.audit;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.control.journal.Chain;
import io.gatehouse.proto.storage.v1.Event;
import io.gatehouse.proto.storage.v1.JournalEntry;
import io.gatehouse.proto.storage.v1.RefusalEntry;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditEvent;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows of the chains as people see them. Pure. */
final class AuditEvents {
  private AuditEvents() {}

  /** The event of a row; of one whose payload was made unreadable, only its place. */
  static AuditEvent of(AuditChain chain, Chain.Row row) {
    AuditEvent.Builder event =
        AuditEvent.newBuilder().setChain(chain).setSequence(row.seq()).setHash(row.hash());
    try {
      return chain == AuditChain.AUDIT_CHAIN_REFUSALS
          ? refusal(event, RefusalEntry.parseFrom(row.payload()))
          : change(event, JournalEntry.parseFrom(row.payload()));
    } catch (InvalidProtocolBufferException e) {
      return event.setAction("unreadable").build();
    }
  }

  private static AuditEvent change(AuditEvent.Builder event, JournalEntry entry) {
    return event
        .setEventTime(entry.getTime())
        .setActor(entry.getActor())
        .setAction(
            entry.getEventsList().stream()
                .map(AuditEvents::words)
                .distinct()
                .collect(Collectors.joining(", ")))
        .setSubject(entry.getSubject())
        .setCount(1)
        .build();
  }

  private static AuditEvent refusal(AuditEvent.Builder event, RefusalEntry entry) {
    return event
        .setEventTime(entry.getTime())
        .setActor(entry.getActor())
        .setAction(entry.getAction())
        .setSubject(entry.getSubject())
        .setRefusalCode(entry.getCode())
        .setRefusalReason(entry.getReason())
        .setCount(entry.getCount())
        .build();
  }

  /** {@code NETWORK_PUT} gives {@code network put}. */
  private static String words(Event event) {
    return event.getEventCase().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
