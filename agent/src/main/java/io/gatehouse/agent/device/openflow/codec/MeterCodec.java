package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.model.net.InvalidValueException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;

/** Meters (OpenFlow 1.5.1 §7.3.4.5, §7.3.5.13 to 15), which are the same since 1.3. */
public final class MeterCodec {
  /** How a meter is written. */
  public enum Command {
    ADD(0),
    MODIFY(1);

    private final int number;

    Command(int number) {
      this.number = number;
    }
  }

  private static final int DELETE = 2;

  private static final int ALL = 0xffff_ffff;

  private static final int KILOBITS = 1;
  private static final int PACKETS = 2;
  private static final int BURST = 4;
  private static final int STATS = 8;

  private static final int DROP_BAND = 1;
  private static final int BAND_BYTES = 16;

  private MeterCodec() {}

  /**
   * A meter as the switch has it.
   *
   * @param meter empty if it is none that this program would make
   */
  public record Found(int id, Optional<RateMeter> meter) {}

  /**
   * What a meter has counted.
   *
   * @param packets all
   * @param dropped of these, by its bands
   */
  public record Counters(int id, long packets, long dropped) {}

  /**
   * What a switch's meters can do.
   *
   * @param max how many it has room for, unsigned; 0: it has none
   * @param measures whether it knows all units and bursts, and bands that drop
   */
  public record Features(long max, boolean measures) {}

  /** Appends the change of a meter. */
  public static void change(ByteBuf out, int xid, Command command, RateMeter meter) {
    int start = Wire.begin(out, Wire.METER_MOD, xid);
    int unit = meter.unit() == RateMeter.Unit.KILOBITS ? KILOBITS : PACKETS;
    out.writeShort(command.number).writeShort(unit | BURST).writeInt(meter.id());
    out.writeShort(DROP_BAND).writeShort(BAND_BYTES);
    out.writeInt((int) meter.rate()).writeInt((int) meter.burst()).writeInt(0);
    Wire.end(out, start);
  }

  /** Appends the removal of a meter; it takes the flows that use it along. */
  public static void delete(ByteBuf out, int xid, int id) {
    int start = Wire.begin(out, Wire.METER_MOD, xid);
    out.writeShort(DELETE).writeShort(0).writeInt(id);
    Wire.end(out, start);
  }

  public static void dump(ByteBuf out, int xid) {
    ask(out, xid, Wire.MULTIPART_METER_DESC, ALL);
  }

  public static void counters(ByteBuf out, int xid) {
    ask(out, xid, Wire.MULTIPART_METER_STATS, ALL);
  }

  public static void features(ByteBuf out, int xid) {
    Wire.end(out, Requests.multipart(out, Wire.MULTIPART_METER_FEATURES, xid));
  }

  private static void ask(ByteBuf out, int xid, int type, int id) {
    int start = Requests.multipart(out, type, xid);
    out.writeInt(id).writeInt(0);
    Wire.end(out, start);
  }

  /** Reads one part of a dump and appends its meters. */
  public static void readDump(ByteBuf body, List<Found> meters) throws UnreadableException {
    while (body.isReadable()) {
      Wire.need(body, 8);
      ByteBuf meter = Wire.take(body, body.getUnsignedShort(body.readerIndex()));
      Wire.need(meter, 8);
      int flags = meter.skipBytes(2).readUnsignedShort();
      int id = meter.readInt();
      meters.add(new Found(id, meter(id, flags & ~STATS, meter)));
    }
  }

  private static Optional<RateMeter> meter(int id, int flags, ByteBuf bands) {
    boolean one = bands.readableBytes() == BAND_BYTES;
    boolean known = flags == (KILOBITS | BURST) || flags == (PACKETS | BURST);
    if (!one || !known || bands.readUnsignedShort() != DROP_BAND) {
      return Optional.empty();
    }
    long rate = bands.skipBytes(2).readUnsignedInt();
    long burst = bands.readUnsignedInt();
    RateMeter.Unit unit =
        (flags & KILOBITS) != 0 ? RateMeter.Unit.KILOBITS : RateMeter.Unit.PACKETS;
    try {
      return Optional.of(new RateMeter(id, unit, rate, burst));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  /** Reads one part of an answer about counters and appends them. */
  public static void readCounters(ByteBuf body, List<Counters> counters)
      throws UnreadableException {
    while (body.isReadable()) {
      Wire.need(body, 8);
      ByteBuf meter = Wire.take(body, body.getUnsignedShort(body.readerIndex() + 4));
      Wire.need(meter, 40);
      int id = meter.readInt();
      long packets = meter.skipBytes(12).readLong();
      ByteBuf bands = meter.skipBytes(16);
      long dropped = 0;
      while (bands.isReadable()) {
        Wire.need(bands, 16);
        dropped += bands.readLong();
        bands.skipBytes(8);
      }
      counters.add(new Counters(id, packets, dropped));
    }
  }

  public static Features readFeatures(ByteBuf body) throws UnreadableException {
    Wire.need(body, 16);
    long max = body.readUnsignedInt();
    boolean drops = (body.readInt() & 1 << DROP_BAND) != 0;
    int wanted = KILOBITS | PACKETS | BURST;
    boolean measures = drops && (body.readInt() & wanted) == wanted;
    return new Features(max, measures);
  }
}
