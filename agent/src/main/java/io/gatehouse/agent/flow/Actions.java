package io.gatehouse.agent.flow;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.List;

/** Makes actions; arguments are checked and named as in {@link Action}. */
public final class Actions {
  /** The reserved ports of OpenFlow 1.1+ (OpenFlow 1.5.1 §7.2.1). */
  public static final int IN_PORT = 0xffff_fff8;

  public static final int TABLE = 0xffff_fff9;
  public static final int NORMAL = 0xffff_fffa;
  public static final int FLOOD = 0xffff_fffb;
  public static final int ALL = 0xffff_fffc;
  public static final int CONTROLLER = 0xffff_fffd;
  public static final int LOCAL = 0xffff_fffe;

  /** Open vSwitch has 16 bits for a port, and keeps the top for reserved ones. */
  public static final int MAX_PORT = 0xfeff;

  private static final List<String> RESERVED =
      List.of("IN_PORT", "TABLE", "NORMAL", "FLOOD", "ALL", "CONTROLLER", "LOCAL");

  private Actions() {}

  public static Action set(Field field, Bits value) {
    return new Action.SetField(field, value, field.fullMask());
  }

  public static Action set(Field field, Bits value, Bits mask) {
    return new Action.SetField(field, value, mask);
  }

  public static Action setReg(int number, long value) {
    return set(Field.reg(number), Bits.of(value));
  }

  public static Action setReg(int number, long value, long mask) {
    return set(Field.reg(number), Bits.of(value), Bits.of(mask));
  }

  public static Action setMetadata(long value) {
    return set(Field.METADATA, Bits.of(value));
  }

  public static Action setTunId(long id) {
    return set(Field.TUN_ID, Bits.of(id));
  }

  public static Action setTunSrc(IpAddress ip) {
    return set(ip.isV4() ? Field.TUN_SRC : Field.TUN_IPV6_SRC, bits(ip));
  }

  public static Action setTunDst(IpAddress ip) {
    return set(ip.isV4() ? Field.TUN_DST : Field.TUN_IPV6_DST, bits(ip));
  }

  public static Action setEthSrc(MacAddress mac) {
    return set(Field.ETH_SRC, Bits.of(mac.bits()));
  }

  public static Action setEthDst(MacAddress mac) {
    return set(Field.ETH_DST, Bits.of(mac.bits()));
  }

  public static Action setIpSrc(IpAddress ip) {
    return set(ip.isV4() ? Field.IP_SRC : Field.IPV6_SRC, bits(ip));
  }

  public static Action setIpDst(IpAddress ip) {
    return set(ip.isV4() ? Field.IP_DST : Field.IPV6_DST, bits(ip));
  }

  public static Action setArpOp(int operation) {
    return set(Field.ARP_OP, Bits.of(operation));
  }

  public static Action setArpSpa(IpAddress ip) {
    return set(Field.ARP_SPA, bits(ip));
  }

  public static Action setArpTpa(IpAddress ip) {
    return set(Field.ARP_TPA, bits(ip));
  }

  public static Action setArpSha(MacAddress mac) {
    return set(Field.ARP_SHA, Bits.of(mac.bits()));
  }

  public static Action setArpTha(MacAddress mac) {
    return set(Field.ARP_THA, Bits.of(mac.bits()));
  }

  public static Action setIcmpV6Type(int type) {
    return set(Field.ICMPV6_TYPE, Bits.of(type));
  }

  public static Action setNdTarget(IpAddress ip) {
    return set(Field.ND_TARGET, bits(ip));
  }

  public static Action setNdSll(MacAddress mac) {
    return set(Field.ND_SLL, Bits.of(mac.bits()));
  }

  public static Action setNdTll(MacAddress mac) {
    return set(Field.ND_TLL, Bits.of(mac.bits()));
  }

  public static Action setNdReserved(long value) {
    return set(Field.ND_RESERVED, Bits.of(value));
  }

  public static Action setNdOptionsType(int type) {
    return set(Field.ND_OPTIONS_TYPE, Bits.of(type));
  }

  public static Action setPktMark(long mark) {
    return set(Field.PKT_MARK, Bits.of(mark));
  }

  public static Action setCtMark(long mark) {
    return set(Field.CT_MARK, Bits.of(mark));
  }

  public static Action setCtMark(long mark, long mask) {
    return set(Field.CT_MARK, Bits.of(mark), Bits.of(mask));
  }

  /** Copies a whole field into one of the same width. */
  public static Action move(Field from, Field to) {
    return new Action.Move(from, 0, to, 0, from.bits());
  }

  public static Action move(Field from, int fromOfs, Field to, int toOfs, int bits) {
    return new Action.Move(from, fromOfs, to, toOfs, bits);
  }

  public static Action output(int port) {
    return port == IN_PORT ? inPort() : new Action.Output(port);
  }

  public static Action inPort() {
    return new Action.OutputInPort();
  }

  public static Action outputReg(int number) {
    return new Action.OutputReg(Field.reg(number), 0, 32);
  }

  public static Action outputReg(Field field, int ofs, int bits) {
    return new Action.OutputReg(field, ofs, bits);
  }

  public static Action resubmit(int table) {
    return new Action.Resubmit(table);
  }

  /** Tracks in a zone, then goes on in a table. */
  public static Action ct(int zone, int table) {
    return ct(new Action.ConnTrack.Zone.Fixed(zone), table);
  }

  public static Action ct(Action.ConnTrack.Zone zone, int table) {
    return new Action.ConnTrack(Action.ConnTrack.Mode.TRACK, zone, table, List.of());
  }

  /** Commits the connection to a zone; the packet goes on with the next action. */
  public static Action ctCommit(int zone, Action... nested) {
    return ctCommit(new Action.ConnTrack.Zone.Fixed(zone), nested);
  }

  public static Action ctCommit(Action.ConnTrack.Zone zone, Action... nested) {
    return new Action.ConnTrack(
        Action.ConnTrack.Mode.COMMIT, zone, Action.ConnTrack.NO_TABLE, List.of(nested));
  }

  /**
   * Commits the connection to a zone, then goes on in a table with what the tracker has made of it.
   */
  public static Action ctCommitThen(int zone, int table, Action... nested) {
    return new Action.ConnTrack(
        Action.ConnTrack.Mode.COMMIT,
        new Action.ConnTrack.Zone.Fixed(zone),
        table,
        List.of(nested));
  }

  /** The zone in the low 16 bits of a register. */
  public static Action.ConnTrack.Zone zoneInReg(int number) {
    return new Action.ConnTrack.Zone.Of(Field.reg(number), 0, 16);
  }

  public static Action ctClear() {
    return new Action.ClearCtState();
  }

  public static Action checkPktLarger(int bytes, Field dst, int bit) {
    return new Action.CheckPktLarger(bytes, dst, bit);
  }

  public static Action meter(int id) {
    return new Action.Meter(id);
  }

  public static Action group(int id) {
    return new Action.Group(id);
  }

  /** The whole packet, for the reason "action". */
  public static Action controller(int meter, byte... userdata) {
    return new Action.Controller(0xffff, 1, meter, Octets.of(userdata));
  }

  public static Action conjunction(int id, int clause, int of) {
    return new Action.Conjunction(id, clause, of);
  }

  public static Action pushVlan(int ethType) {
    return new Action.PushVlan(ethType);
  }

  public static Action popVlan() {
    return new Action.PopVlan();
  }

  public static Action decTtl() {
    return new Action.DecTtl();
  }

  public static Action note(byte... text) {
    return new Action.Note(Octets.of(text));
  }

  static void checkPort(String field, int port) {
    if (port != LOCAL) {
      Checks.range(field, port & 0xffff_ffffL, 1, MAX_PORT);
    }
  }

  static void checkOutput(String field, int port) {
    boolean reserved = Integer.compareUnsigned(port, IN_PORT) >= 0 && port != -1;
    if (!reserved) {
      checkPort(field, port);
    }
  }

  /** A number, or the name of a reserved port. */
  static String portText(int port) {
    int reserved = port - IN_PORT;
    return reserved >= 0 && reserved < RESERVED.size() && port < 0
        ? RESERVED.get(reserved)
        : Integer.toUnsignedString(port);
  }

  private static Bits bits(IpAddress ip) {
    return new Bits(ip.high(), ip.low());
  }
}
