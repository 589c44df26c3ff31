package io.gatehouse.control.journal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.proto.storage.v1.JournalEntry;
import io.gatehouse.wire.TimeWire;
import java.util.HexFormat;

/** Entries as payloads of the journal's rows; the revision is the row's seq. */
final class EntryCodec {
  private EntryCodec() {}

  static byte[] encode(Entry entry) {
    JournalEntry.Builder message =
        JournalEntry.newBuilder()
            .setActor(entry.actor())
            .setTime(TimeWire.toProto(entry.time()))
            .setRequestId(entry.requestId())
            .setRequestHash(encode(entry.requestHash()))
            .setSubject(entry.subject());
    entry.events().forEach(event -> message.addEvents(EventCodec.encode(event)));
    return message.build().toByteArray();
  }

  /**
   * Reads the payload of a row.
   *
   * @throws JournalCorruptException if it makes no valid entry
   */
  static Entry decode(long seq, byte[] payload) {
    try {
      JournalEntry message = JournalEntry.parseFrom(payload);
      return new Entry(
          seq,
          TimeWire.fromProto("time", message.getTime()),
          message.getActor(),
          message.getRequestId(),
          decode(message.getRequestHash()),
          message.getSubject(),
          message.getEventsList().stream().map(EventCodec::decode).toList());
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw new JournalCorruptException(
          seq,
          "journal row "
              + seq
              + " cannot be read by this version ("
              + e.getMessage()
              + "): start the version that wrote it, or a newer one");
    }
  }

  static ByteString encode(RequestHash hash) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hash.hex()));
  }

  static RequestHash decode(ByteString hash) {
    return new RequestHash(HexFormat.of().formatHex(hash.toByteArray()));
  }
}
