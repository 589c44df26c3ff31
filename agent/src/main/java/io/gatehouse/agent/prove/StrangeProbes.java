package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.net.InvalidValueException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Packets made to meet one flow: the usual ones, with what the flow compares written into them. */
public final class StrangeProbes {
  private static final int MAX = 5_000;

  /** What a host cannot put into a packet. */
  private static final Set<Field> INNER =
      EnumSet.of(
          Field.CONJ_ID,
          Field.METADATA,
          Field.PKT_MARK,
          Field.CT_STATE,
          Field.CT_ZONE,
          Field.CT_MARK,
          Field.CT_LABEL);

  static {
    INNER.addAll(EnumSet.range(Field.REG0, Field.XXREG3));
  }

  private StrangeProbes() {}

  public static Stream<Probe> of(Ground ground, Flow flow) {
    return Probes.of(ground, Set.of())
        .limit(MAX)
        .map(probe -> fitted(probe, flow.match()))
        .flatMap(Optional::stream)
        .distinct();
  }

  private static Optional<Probe> fitted(Probe probe, Match match) {
    Packet packet = probe.packet();
    for (Match.Entry entry : match.entries()) {
      Field field = entry.field();
      if (INNER.contains(field)) {
        continue;
      }
      boolean fits = packet.get(field).and(entry.mask()).equals(entry.value());
      if (!fits && (field == Field.IN_PORT || field == Field.ETH_TYPE || isTunnel(field))) {
        return Optional.empty();
      }
      if (!fits) {
        Bits others = packet.get(field).and(entry.mask().not());
        packet = packet.with(field, others.or(entry.value()));
      }
    }
    return isPossible(packet)
        ? Optional.of(new Probe(PacketClass.STRANGE_FLOW, probe.from(), probe.aim(), packet))
        : Optional.empty();
  }

  /** Where a packet comes from is the probe's own: it says what is to be expected. */
  private static boolean isTunnel(Field field) {
    return field.text().startsWith("tun_");
  }

  private static boolean isPossible(Packet packet) {
    try {
      return !packet.toString().isEmpty();
    } catch (InvalidValueException e) {
      return false;
    }
  }
}
