package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import io.gatehouse.proto.v1.ChangeKind;
import io.gatehouse.proto.v1.ResourceChange;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.gatehouse.wire.TimeWire;
import java.time.Instant;
import java.util.Optional;

/** Entries of the journal as those who watch see them. Pure. */
final class ChangeMessages {
  private ChangeMessages() {}

  static WatchChangesResponse of(Entry entry) {
    WatchChangesResponse.Builder message =
        WatchChangesResponse.newBuilder()
            .setRevision(entry.revision())
            .setActor(entry.actor())
            .setTime(TimeWire.toProto(entry.time()));
    entry.events().forEach(event -> change(event).ifPresent(message::addChanges));
    return message.build();
  }

  private static Optional<ResourceChange> change(Event event) {
    if (event instanceof Event.TenantPut put) {
      return put(put.tenant().name(), put.tenant().createdAt(), put.tenant().updatedAt());
    }
    if (event instanceof Event.NetworkPut put) {
      return put(put.network().name(), put.network().createdAt(), put.network().updatedAt());
    }
    if (event instanceof Event.PortPut put) {
      return put(put.port().name(), put.port().createdAt(), put.port().updatedAt());
    }
    if (event instanceof Event.DpuPut put) {
      return put(put.dpu().name(), put.dpu().createdAt(), put.dpu().updatedAt());
    }
    if (event instanceof Event.OperatorPut put) {
      return put(put.operator().name(), put.operator().createdAt(), put.operator().updatedAt());
    }
    if (event instanceof Event.SecurityGroupPut put) {
      return put(put.group().name(), put.group().createdAt(), put.group().updatedAt());
    }
    if (event instanceof Event.SecurityGroupDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    if (event instanceof Event.QuarantineSet set) {
      return change(set.quarantine().target(), ChangeKind.CHANGE_KIND_UPDATED);
    }
    if (event instanceof Event.QuarantineReleased released) {
      return change(released.target(), ChangeKind.CHANGE_KIND_UPDATED);
    }
    if (event instanceof Event.PeeringPut put) {
      return put(put.peering().name(), put.peering().createdAt(), put.peering().updatedAt());
    }
    if (event instanceof Event.PeeringDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    if (event instanceof Event.OperatorDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    if (event instanceof Event.TenantDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    if (event instanceof Event.NetworkDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    if (event instanceof Event.PortDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    if (event instanceof Event.DpuDeleted deleted) {
      return change(deleted.name(), ChangeKind.CHANGE_KIND_DELETED);
    }
    return Optional.empty();
  }

  /** What was never changed was made by this very event. */
  private static Optional<ResourceChange> put(Object name, Instant created, Instant updated) {
    return change(
        name,
        created.equals(updated) ? ChangeKind.CHANGE_KIND_CREATED : ChangeKind.CHANGE_KIND_UPDATED);
  }

  private static Optional<ResourceChange> change(Object name, ChangeKind kind) {
    return Optional.of(ResourceChange.newBuilder().setName(name.toString()).setKind(kind).build());
  }
}
