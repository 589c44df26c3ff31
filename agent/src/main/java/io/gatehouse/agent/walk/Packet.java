package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.EnumMap;
import java.util.Map;

/**
 * A packet as the switch sees it: fields with values. A field that was not given is zero, as in the
 * switch. Immutable.
 */
public final class Packet {
  private final Map<Field, Bits> fields;
  private final int lengthBytes;

  private Packet(Map<Field, Bits> fields, int lengthBytes) {
    this.fields = fields;
    this.lengthBytes = lengthBytes;
  }

  /** A packet of which nothing is known but the OpenFlow port that it comes in at. */
  public static Packet from(int inPort) {
    return new Packet(new EnumMap<>(Field.class), 0).with(Field.IN_PORT, inPort & 0xffff_ffffL);
  }

  /** The same packet with another value of a field. */
  public Packet with(Field field, Bits value) {
    Map<Field, Bits> changed = copyFields();
    changed.put(field, value.and(field.fullMask()));
    return new Packet(changed, lengthBytes);
  }

  public Packet with(Field field, long value) {
    return with(field, Bits.of(value));
  }

  public Packet with(Field field, MacAddress value) {
    return with(field, value.bits());
  }

  /** An address in the field of its family. */
  public Packet with(Field v4, Field v6, IpAddress value) {
    return with(value.isV4() ? v4 : v6, new Bits(value.high(), value.low()));
  }

  /** The same packet with so many bytes, Ethernet header included. */
  public Packet ofLength(int bytes) {
    return new Packet(fields, bytes);
  }

  /** The same packet as the connection tracker knows it, where it opens a connection. */
  public Packet withOwnTuple() {
    PacketFields opened = new PacketFields(this);
    opened.putOwnTuple();
    return opened.packet();
  }

  public Bits get(Field field) {
    return fields.getOrDefault(field, Bits.ZERO);
  }

  /** The port that it comes in at. */
  public int inPort() {
    return (int) get(Field.IN_PORT).low();
  }

  /** So many bytes, Ethernet header included; 0 for a packet whose length means nothing. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** A copy for a walk to write into; never of this packet itself. */
  Map<Field, Bits> copyFields() {
    return new EnumMap<>(fields);
  }

  static Packet ofFields(Map<Field, Bits> fields, int lengthBytes) {
    return new Packet(new EnumMap<>(fields), lengthBytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Packet that
        && lengthBytes == that.lengthBytes
        && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  /**
   * The fields that were given, as {@code ofproto/trace} reads them.
   *
   * @throws io.gatehouse.model.net.InvalidValueException if a field lacks what it needs beside it
   */
  @Override
  public String toString() {
    Match.Builder text = Match.builder();
    fields.forEach(text::field);
    return text.build().toString();
  }
}
