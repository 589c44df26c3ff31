package io.gatehouse.agent.flow;

import io.gatehouse.model.net.InvalidValueException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a flow does with a packet, one step. Made by {@link Actions}; the text of each is that of
 * {@code ovs-ofctl} (ovs-actions(7)).
 */
public sealed interface Action {

  /** True for what writes the connection's own fields, which only {@link ConnTrack} can do. */
  static boolean isOfConnection(Action action) {
    @Nullable Field written = null;
    if (action instanceof SetField set) {
      written = set.field();
    } else if (action instanceof Move move) {
      written = move.dstField();
    }
    return written == Field.CT_MARK || written == Field.CT_LABEL;
  }

  /** Writes the bits of a field that the mask selects. */
  record SetField(Field field, Bits value, Bits mask) implements Action {
    public SetField {
      if (!field.isWritable()) {
        throw new InvalidValueException("set_field", field.text(), "cannot be written");
      }
      if (!value.fits(field.bits())) {
        throw new InvalidValueException(
            field.text(), value, "is outside its bits " + field.fullMask());
      }
      mask = mask.and(field.fullMask());
      if (mask.isZero() || (!field.isMaskable() && !mask.equals(field.fullMask()))) {
        throw new InvalidValueException("set_field", field.text() + "/" + mask, "is not a mask");
      }
      value = value.and(mask);
    }

    public static SetField of(Field field, byte[] value, byte[] mask) {
      return new SetField(field, Bits.ofBytes(value), Bits.ofBytes(mask));
    }

    @Override
    public String toString() {
      return "set_field:" + FieldText.valueAndMask(field, value, mask) + "->" + field.text();
    }
  }

  /** Copies a run of bits. */
  record Move(Field srcField, int srcOfs, Field dstField, int dstOfs, int bits) implements Action {
    public Move {
      Checks.subfield(srcField, srcOfs, bits);
      Checks.subfieldWritable(dstField, dstOfs, bits);
    }

    @Override
    public String toString() {
      return "move:"
          + FieldText.subfield(srcField, srcOfs, bits)
          + "->"
          + FieldText.subfield(dstField, dstOfs, bits);
    }
  }

  /** Sends to a port; nothing happens if it is the one that the packet came from. */
  record Output(int port) implements Action {
    public Output {
      if (port == Actions.IN_PORT || port == Actions.CONTROLLER) {
        throw new InvalidValueException("output", Actions.portText(port), "has its own action");
      }
      Actions.checkOutput("output", port);
    }

    @Override
    public String toString() {
      return port > 0 ? "output:" + port : Actions.portText(port);
    }
  }

  /** Sends back to where the packet came from. */
  record OutputInPort() implements Action {
    @Override
    public String toString() {
      return "IN_PORT";
    }
  }

  /** Sends to the port whose number is in a field. */
  record OutputReg(Field field, int ofs, int bits) implements Action {
    public OutputReg {
      Checks.range("output.bits", bits, 1, 64);
      Checks.subfield(field, ofs, bits);
    }

    @Override
    public String toString() {
      return "output:" + FieldText.subfield(field, ofs, bits);
    }
  }

  /** Looks the packet up in another table, then goes on with the next action. */
  record Resubmit(int table) implements Action {
    public Resubmit {
      Checks.range("resubmit.table", table, 0, Flow.MAX_TABLE);
    }

    @Override
    public String toString() {
      return "resubmit(," + table + ")";
    }
  }

  /**
   * Sends the packet through the connection tracker.
   *
   * @param recircTable where a copy goes on once tracked; {@link #NO_TABLE} for nowhere
   * @param nested what is done to the connection: {@code ct_mark}, {@code ct_label}
   */
  record ConnTrack(Mode mode, Zone zone, int recircTable, List<Action> nested) implements Action {
    public static final int NO_TABLE = 255;

    /** What happens to the connection's entry. */
    public enum Mode {
      TRACK,
      COMMIT,
      /** Also ends an entry of the opposite direction. */
      FORCE_COMMIT
    }

    /** Which zone: a number, or the 16 bits of a field. */
    public sealed interface Zone {
      record Fixed(int zone) implements Zone {
        public Fixed {
          Checks.range("zone", zone, 0, 0xffff);
        }

        @Override
        public String toString() {
          return Integer.toString(zone);
        }
      }

      record Of(Field field, int ofs, int bits) implements Zone {
        public Of {
          Checks.subfield(field, ofs, bits);
          Checks.range("zone.bits", bits, 16, 16);
        }

        @Override
        public String toString() {
          return FieldText.subfield(field, ofs, bits);
        }
      }
    }

    public ConnTrack {
      if (recircTable != NO_TABLE) {
        Checks.range("ct.table", recircTable, 0, Flow.MAX_TABLE);
      }
      nested = List.copyOf(nested);
      for (Action action : nested) {
        if (!isOfConnection(action) || mode == Mode.TRACK) {
          throw new InvalidValueException("ct.exec", action, "is not possible in this place");
        }
      }
    }

    @Override
    public String toString() {
      return "ct("
          + (mode == Mode.TRACK ? "" : "commit,")
          + (mode == Mode.FORCE_COMMIT ? "force," : "")
          + (recircTable == NO_TABLE ? "" : "table=" + recircTable + ",")
          + "zone="
          + zone
          + (nested.isEmpty() ? "" : ",exec(" + Flow.actionsText(nested) + ")")
          + ")";
    }
  }

  /** Forgets what the connection tracker said of the packet. */
  record ClearCtState() implements Action {
    @Override
    public String toString() {
      return "ct_clear";
    }
  }

  /** Sets one bit to whether the packet is longer than so many bytes, Ethernet header included. */
  record CheckPktLarger(int bytes, Field dstField, int bit) implements Action {
    public CheckPktLarger {
      Checks.range("check_pkt_larger", bytes, 1, 0xffff);
      Checks.subfieldWritable(dstField, bit, 1);
    }

    @Override
    public String toString() {
      return "check_pkt_larger(" + bytes + ")->" + FieldText.subfield(dstField, bit, 1);
    }
  }

  /** Drops the packet if the meter's rate is exceeded. */
  record Meter(int id) implements Action {
    public Meter {
      RateMeter.checkId("meter", id);
    }

    @Override
    public String toString() {
      return "meter:" + Integer.toUnsignedString(id);
    }
  }

  /** Goes on with a group. */
  record Group(int id) implements Action {
    public Group {
      Checks.range("group", id, 0, 0x7fff_ffff);
    }

    @Override
    public String toString() {
      return "group:" + id;
    }
  }

  /**
   * Sends the packet to a controller.
   *
   * @param maxLen how many bytes of it; 65535 for all
   * @param reason 0 no match, 1 action, 2 invalid TTL (OpenFlow 1.3 §7.4.1)
   * @param meter the meter that limits it, 0 for none
   * @param userdata comes back with the packet
   */
  record Controller(int maxLen, int reason, int meter, Octets userdata) implements Action {
    private static final String[] REASONS = {"no_match", "action", "invalid_ttl"};

    public Controller {
      Checks.range("controller.max_len", maxLen, 0, 0xffff);
      Checks.range("controller.reason", reason, 0, REASONS.length - 1L);
      if (meter != 0) {
        RateMeter.checkId("controller.meter", meter);
      }
      Checks.range("controller.userdata.size", userdata.size(), 0, 1024);
    }

    @Override
    public String toString() {
      return "controller("
          + (reason == 1 ? "" : "reason=" + REASONS[reason] + ",")
          + ("max_len=" + maxLen + ",id=0")
          + (userdata.isEmpty() ? "" : ",userdata=" + userdata)
          + (meter == 0 ? "" : ",meter_id=" + Integer.toUnsignedString(meter))
          + ")";
    }
  }

  /** Holds if all {@code of} clauses of the id hold; {@code clause} counts from 1. */
  record Conjunction(int id, int clause, int of) implements Action {
    public Conjunction {
      Checks.range("conjunction.of", of, 2, 64);
      Checks.range("conjunction.clause", clause, 1, of);
    }

    @Override
    public String toString() {
      return "conjunction(" + Integer.toUnsignedString(id) + "," + clause + "/" + of + ")";
    }
  }

  /** Adds a VLAN tag with id 0. */
  record PushVlan(int ethType) implements Action {
    public PushVlan {
      if (ethType != 0x8100 && ethType != 0x88a8) {
        throw new InvalidValueException("push_vlan", ethType, "is neither 0x8100 nor 0x88a8");
      }
    }

    @Override
    public String toString() {
      return "push_vlan:0x" + Integer.toHexString(ethType);
    }
  }

  /** Takes the outer VLAN tag off. */
  record PopVlan() implements Action {
    @Override
    public String toString() {
      return "pop_vlan";
    }
  }

  /** Lowers the TTL or hop limit; a packet with none left goes to the controller and stops. */
  record DecTtl() implements Action {
    @Override
    public String toString() {
      return "dec_ttl";
    }
  }

  /** Does nothing; the text is padded with zeros to 6, 14, 22 … bytes, as it is on the wire. */
  record Note(Octets text) implements Action {
    public Note {
      Checks.range("note.size", text.size(), 0, 1024);
      text = text.padded(6 + (Math.max(text.size() - 6, 0) + 7) / 8 * 8);
    }

    @Override
    public String toString() {
      return "note:" + text;
    }
  }

  /**
   * An action or instruction of another program that this language lacks. It is read, compared and
   * shown, and never sent.
   */
  record Foreign(String name, Octets wire) implements Action {
    @Override
    public String toString() {
      return name + "(" + wire + ")";
    }
  }
}
