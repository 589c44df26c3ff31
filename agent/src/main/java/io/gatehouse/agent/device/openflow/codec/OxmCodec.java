package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.InvalidValueException;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields and matches as OXM TLVs (OpenFlow 1.5.1 §7.2.3; ovs-fields(7)). */
final class OxmCodec {
  static final int TYPE_OXM = 1;
  private static final int MASKED = 0x100;

  /** By header without mask bit and length. */
  private static final Map<Integer, Field> BY_HEADER = new HashMap<>();

  static {
    for (Field field : Field.values()) {
      BY_HEADER.put(header(field) >>> 9, field);
    }
    alias(0x0000, 1, Field.ETH_DST);
    alias(0x0000, 2, Field.ETH_SRC);
    alias(0x0000, 3, Field.ETH_TYPE);
    alias(0x0000, 7, Field.IP_SRC);
    alias(0x0000, 8, Field.IP_DST);
    alias(0x0000, 15, Field.ARP_OP);
    alias(0x0000, 16, Field.ARP_SPA);
    alias(0x0000, 17, Field.ARP_TPA);
    alias(0x0001, 16, Field.TUN_ID);
    alias(0x0001, 17, Field.ARP_SHA);
    alias(0x0001, 18, Field.ARP_THA);
  }

  private OxmCodec() {}

  private static void alias(int oxmClass, int number, Field field) {
    BY_HEADER.put(oxmClass << 7 | number, field);
  }

  /** The 32-bit header of a field without mask. */
  static int header(Field field) {
    return field.oxmClass() << 16 | field.oxmField() << 9 | field.bytes();
  }

  static void writeMatch(ByteBuf out, Match match) {
    int start = out.writerIndex();
    out.writeShort(TYPE_OXM).writeShort(0);
    match.forEach((field, value, mask) -> write(out, field, value, mask));
    out.setShort(start + 2, out.writerIndex() - start);
    Wire.pad(out, start);
  }

  /**
   * @throws InvalidValueException if the fields contradict each other
   */
  static Match readMatch(ByteBuf in) throws UnreadableException {
    Wire.need(in, 4);
    int type = in.getUnsignedShort(in.readerIndex());
    int length = in.getUnsignedShort(in.readerIndex() + 2);
    if (type != TYPE_OXM || length < 4) {
      throw new UnreadableException("a match of type " + type + ", " + length + " bytes");
    }
    ByteBuf fields = Wire.take(in, length).skipBytes(4);
    Match.Builder match = Match.builder();
    while (fields.isReadable()) {
      Oxm oxm = read(fields);
      match.field(oxm.field, oxm.value, oxm.mask);
    }
    return match.build();
  }

  /** A field with value and mask, as it stands in a match or a set-field action. */
  record Oxm(Field field, Bits value, Bits mask) {}

  /**
   * A full mask is left out, but for {@code ct_state}: without one Open vSwitch compares all 32
   * bits, which is another flow than one that compares the 8 that exist.
   */
  static void write(ByteBuf out, Field field, Bits value, Bits mask) {
    if (mask.equals(field.fullMask()) && field != Field.CT_STATE) {
      out.writeInt(header(field));
      writeBits(out, value, field.bytes());
      return;
    }
    out.writeInt(header(field) + field.bytes() | MASKED);
    writeBits(out, value, field.bytes());
    writeBits(out, mask, field.bytes());
  }

  static Oxm read(ByteBuf in) throws UnreadableException {
    Wire.need(in, 4);
    int header = in.readInt();
    boolean masked = (header & MASKED) != 0;
    Field field = field(header);
    int length = header & 0xff;
    if (length != (masked ? 2 : 1) * field.bytes()) {
      throw new UnreadableException(field.text() + " of " + length + " bytes");
    }
    Wire.need(in, length);
    Bits value = readBits(in, field.bytes());
    return new Oxm(field, value, masked ? readBits(in, field.bytes()) : field.fullMask());
  }

  /** True if a header is that of a field. */
  static boolean isKnown(int header) {
    return BY_HEADER.containsKey(header >>> 9);
  }

  /** The field of a header, whatever its length says. */
  static Field field(int header) throws UnreadableException {
    @Nullable Field field = BY_HEADER.get(header >>> 9);
    if (field == null) {
      throw new UnreadableException("field 0x" + Integer.toHexString(header) + " is not known");
    }
    return field;
  }

  static Field readField(ByteBuf in) throws UnreadableException {
    Wire.need(in, 4);
    return field(in.readInt());
  }

  private static void writeBits(ByteBuf out, Bits bits, int bytes) {
    switch (bytes) {
      case 1 -> out.writeByte((int) bits.low());
      case 2 -> out.writeShort((int) bits.low());
      case 4 -> out.writeInt((int) bits.low());
      case 6 -> out.writeShort((int) (bits.low() >>> 32)).writeInt((int) bits.low());
      case 8 -> out.writeLong(bits.low());
      default -> out.writeLong(bits.high()).writeLong(bits.low());
    }
  }

  private static Bits readBits(ByteBuf in, int bytes) {
    return switch (bytes) {
      case 1 -> Bits.of(in.readUnsignedByte());
      case 2 -> Bits.of(in.readUnsignedShort());
      case 4 -> Bits.of(in.readUnsignedInt());
      case 6 -> Bits.of((long) in.readUnsignedShort() << 32 | in.readUnsignedInt());
      case 8 -> Bits.of(in.readLong());
      default -> new Bits(in.readLong(), in.readLong());
    };
  }
}
