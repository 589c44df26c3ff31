package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Action.ConnTrack;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.flow.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Matches and actions of every kind, for the codec's tests and for a real switch. */
public final class FlowSamples {
  private static final int ICMPV6 = 58;

  private FlowSamples() {}

  /** The largest value that the switch takes for a field. */
  public static Bits value(Field field, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Bits any = new Bits(random.nextLong(), random.nextLong()).and(field.fullMask());
    return switch (field) {
      case IN_PORT -> Bits.of(1 + (any.low() & 0xfff));
      case ETH_TYPE -> Bits.of(0x88cc);
      case IP_PROTO -> Bits.of(47);
      case ARP_OP -> Bits.of(1 + (any.low() & 1));
      case ICMPV6_TYPE -> Bits.of(135);
      case ICMPV6_CODE -> Bits.ZERO;
      case VLAN_VID -> any.or(Bits.of(0x1000));
      case VLAN_TCI -> any.or(Bits.of(0x1000));
      case CT_NW_PROTO -> Bits.of(1 + (any.low() & 0x7f));
      case CT_STATE -> Bits.of(0x20 | (any.low() & 0x3));
      case IP_FRAG -> Bits.of(1);
      default -> any;
    };
  }

  /** A match of one field, with what it needs where that cannot be told. */
  public static Match.Builder needs(Field field) {
    Match.Builder match = Match.builder();
    return switch (field) {
      case IP_PROTO,
          IP_DSCP,
          IP_ECN,
          NW_TTL,
          IP_FRAG,
          TCP_SRC,
          TCP_DST,
          TCP_FLAGS,
          UDP_SRC,
          UDP_DST,
          SCTP_SRC,
          SCTP_DST ->
          match.ethType(0x0800);
      case ND_TARGET, ND_RESERVED, ND_OPTIONS_TYPE ->
          match.ethType(0x86dd).ipProto(ICMPV6).icmpType(136);
      case CT_NW_PROTO, CT_NW_SRC, CT_NW_DST, CT_IPV6_SRC, CT_IPV6_DST -> match.ctState(0x20, 0x30);
      case CT_TP_SRC, CT_TP_DST -> match.ctState(0x20, 0x30).field(Field.CT_NW_PROTO, Bits.of(6));
      default -> match;
    };
  }

  /** One match of each field, and one with half a mask where the field takes it. */
  public static List<Match> matches(long seed) {
    List<Match> matches = new ArrayList<>();
    for (Field field : Field.values()) {
      Bits value = value(field, seed + field.oxmField());
      matches.add(needs(field).field(field, value).build());
      if (field.isMaskable() && field.bits() > 3 && field != Field.VLAN_TCI) {
        Bits mask = Bits.ones(field.bits() / 2).shiftLeft(1);
        matches.add(needs(field).field(field, value, mask).build());
      }
    }
    return matches;
  }

  /** One action of each kind that has no place of its own below. */
  public static List<Action> plainActions() {
    return List.of(
        Actions.output(7),
        Actions.output(Actions.LOCAL),
        Actions.output(Actions.NORMAL),
        Actions.output(Actions.FLOOD),
        Actions.output(Actions.ALL),
        Actions.inPort(),
        Actions.outputReg(5),
        Actions.outputReg(Field.reg(3), 4, 12),
        Actions.resubmit(0),
        Actions.resubmit(253),
        Actions.ctClear(),
        Actions.checkPktLarger(1514, Field.reg(0), 31),
        Actions.checkPktLarger(1, Field.xreg(1), 40),
        Actions.controller(0),
        Actions.controller(0, (byte) 1, (byte) 2, (byte) 3, (byte) 0),
        new Action.Controller(128, 2, 0, Octets.of((byte) 9)),
        new Action.Controller(64, 0, 5, Octets.EMPTY),
        Actions.conjunction(-1, 1, 2),
        Actions.conjunction(7, 64, 64),
        Actions.pushVlan(0x8100),
        Actions.pushVlan(0x88a8),
        Actions.note((byte) 1),
        Actions.note(new byte[30]),
        Actions.move(Field.ETH_SRC, Field.ETH_DST),
        Actions.move(Field.reg(1), 3, Field.xxreg(1), 100, 20),
        Actions.move(Field.TUN_ID, 0, Field.reg(9), 0, 32),
        Actions.meter(3),
        Actions.group(5));
  }

  /** Actions that need an IPv4 packet. */
  public static List<Action> ipActions() {
    ConnTrack.Zone inField = new ConnTrack.Zone.Of(Field.xreg(2), 16, 16);
    return List.of(
        Actions.decTtl(),
        Actions.ct(1, 31),
        Actions.ct(Actions.zoneInReg(4), 30),
        Actions.ctCommit(65535),
        Actions.ctCommit(
            inField,
            Actions.setCtMark(5),
            Actions.setCtMark(0x100, 0xff00),
            Actions.set(Field.CT_LABEL, Bits.of(77), Bits.ones(70)),
            Actions.move(Field.reg(2), Field.CT_MARK)),
        new ConnTrack(ConnTrack.Mode.FORCE_COMMIT, inField, 33, List.of()),
        Actions.move(Field.IP_SRC, Field.IP_DST));
  }

  /** True for fields that an action outside of ct(...) may write. */
  public static boolean isSetInFlow(Field field) {
    return field.isWritable() && field != Field.CT_MARK && field != Field.CT_LABEL;
  }

  /** Any match, for round trips. */
  public static Match randomMatch(SplittableRandom random) {
    List<Match> all = matches(random.nextLong());
    Match.Builder match = Match.builder();
    Match first = all.get(random.nextInt(all.size()));
    first.forEach(match::field);
    for (int i = random.nextInt(5); i > 0; i--) {
      Bits value = Bits.of(random.nextLong() & 0xffff_ffffL);
      Bits mask = Bits.of(random.nextLong() & 0xffff_ffffL);
      if (!first.has(Field.reg(i))) {
        match.field(Field.reg(i), value, mask);
      }
    }
    return match.build();
  }

  /** Any list of actions, for round trips. */
  public static List<Action> randomActions(SplittableRandom random) {
    List<Action> pool = new ArrayList<>(plainActions());
    pool.removeIf(Action.Conjunction.class::isInstance);
    pool.addAll(ipActions());
    pool.add(Actions.popVlan());
    for (Field field : Field.values()) {
      if (isSetInFlow(field)) {
        pool.add(Actions.set(field, value(field, random.nextLong())));
      }
    }
    List<Action> actions = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      actions.add(pool.get(random.nextInt(pool.size())));
    }
    return actions;
  }
}
