package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.model.Peering;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.PeeringState;

/** Peerings as messages, whole, without etag. */
public final class PeeringWire {
  private PeeringWire() {}

  public static io.gatehouse.proto.v1.Peering toProto(Peering peering) {
    return io.gatehouse.proto.v1.Peering.newBuilder()
        .setName(peering.name().toString())
        .setDisplayName(peering.displayName())
        .setPeerNetwork(peering.peer().toString())
        .setState(
            peering.active()
                ? PeeringState.PEERING_STATE_ACTIVE
                : PeeringState.PEERING_STATE_PENDING)
        .setCreateTime(TimeWire.toProto(peering.createdAt()))
        .setUpdateTime(TimeWire.toProto(peering.updatedAt()))
        .build();
  }

  /**
   * Reads a whole peering, as stored.
   *
   * @throws InvalidValueException with the path of the field below the peering
   */
  public static Peering fromProto(io.gatehouse.proto.v1.Peering message) {
    return new Peering(
        read("name", message.getName(), PeeringName::parse),
        message.getDisplayName(),
        peer(message),
        active(message.getState()),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  /** The other network that a message names. */
  public static NetworkName peer(io.gatehouse.proto.v1.Peering message) {
    return read("peer_network", message.getPeerNetwork(), NetworkName::parse);
  }

  private static boolean active(PeeringState state) {
    return switch (state) {
      case PEERING_STATE_ACTIVE -> true;
      case PEERING_STATE_PENDING -> false;
      case PEERING_STATE_UNSPECIFIED, UNRECOGNIZED ->
          throw new InvalidValueException("state", state, "is not a known state");
    };
  }
}
