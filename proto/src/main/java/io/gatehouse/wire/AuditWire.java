package io.gatehouse.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.proto.storage.v1.Event;
import io.gatehouse.proto.storage.v1.JournalEntry;
import io.gatehouse.proto.storage.v1.RefusalEntry;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditEvent;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows of the audit chains as people see them. */
public final class AuditWire {
  private AuditWire() {}

  /** The event of a row; of one whose payload was made unreadable, only its place. */
  public static AuditEvent event(
      AuditChain chain, long sequence, ByteString hash, ByteString payload) {
    AuditEvent.Builder event =
        AuditEvent.newBuilder().setChain(chain).setSequence(sequence).setHash(hash);
    try {
      return chain == AuditChain.AUDIT_CHAIN_REFUSALS
          ? refusal(event, RefusalEntry.parseFrom(payload))
          : change(event, JournalEntry.parseFrom(payload));
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
                .map(AuditWire::words)
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
