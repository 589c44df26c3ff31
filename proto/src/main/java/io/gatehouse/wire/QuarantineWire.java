package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readAll;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.List;
import java.util.Objects;

/** Quarantines as messages. */
public final class QuarantineWire {
  private QuarantineWire() {}

  public static io.gatehouse.proto.v1.Quarantine toProto(StandingQuarantine standing) {
    return io.gatehouse.proto.v1.Quarantine.newBuilder()
        .setTarget(standing.target().name())
        .setReason(standing.quarantine().reason())
        .addAllAllowedCidrs(
            standing.quarantine().allowed().stream().map(Objects::toString).toList())
        .setSetBy(standing.setBy())
        .setSetByFleet(standing.byFleet())
        .setSetTime(TimeWire.toProto(standing.setAt()))
        .build();
  }

  /**
   * Reads a quarantine, as stored.
   *
   * @throws InvalidValueException with the path of the field below the quarantine
   */
  public static StandingQuarantine fromProto(io.gatehouse.proto.v1.Quarantine message) {
    return new StandingQuarantine(
        target(message.getTarget()),
        quarantine(message.getReason(), message.getAllowedCidrsList()),
        message.getSetBy(),
        message.getSetByFleet(),
        TimeWire.fromProto("set_time", message.getSetTime()));
  }

  /** The target in {@code target}. */
  public static QuarantineTarget target(String name) {
    return read("target", name, QuarantineTarget::parse);
  }

  /** What {@code reason} and {@code allowed_cidrs} say. */
  public static Quarantine quarantine(String reason, List<String> allowedCidrs) {
    return new Quarantine(
        reason, readAll("allowed_cidrs", allowedCidrs, Quarantine.MAX_ALLOWED, Cidr::parse));
  }
}
