package io.gatehouse.control.decide;

import static java.util.Objects.requireNonNullElse;

import io.gatehouse.control.decide.DpuCommand.CreateDpu;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.peering.PeeringReach;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.DpuDeleted;
import io.gatehouse.control.image.Event.DpuPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides commands about DPUs. */
final class DpuDecider {
  private DpuDecider() {}

  static List<Event> decide(Image image, DpuCommand command) {
    if (command instanceof CreateDpu create) {
      return create(image, create);
    }
    if (command instanceof UpdateDpu update) {
      return update(image, update);
    }
    return delete(image, (DeleteDpu) command);
  }

  private static List<Event> create(Image image, CreateDpu command) {
    Refusals.absent(image.dpu(command.name()), command.name());
    Instant now = command.request().time();
    Dpu dpu =
        new Dpu(
            command.name(),
            command.displayName(),
            command.vtepAddress(),
            command.underlayMtuBytes(),
            command.failureDomain(),
            now,
            now);
    checkVtep(image, dpu);
    return List.of(new DpuPut(dpu));
  }

  private static List<Event> update(Image image, UpdateDpu command) {
    Dpu old = Refusals.existing(image.dpu(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    DpuPatch patch = command.patch();
    Dpu dpu =
        new Dpu(
            old.name(),
            requireNonNullElse(patch.displayName(), old.displayName()),
            requireNonNullElse(patch.vtepAddress(), old.vtepAddress()),
            requireNonNullElse(patch.underlayMtuBytes(), old.underlayMtuBytes()),
            requireNonNullElse(patch.failureDomain(), old.failureDomain()),
            old.createdAt(),
            command.request().time());
    checkVtep(image, dpu);
    List<Event> events = new ArrayList<>();
    events.add(new DpuPut(dpu));
    boolean sized =
        dpu.underlayMtuBytes() != old.underlayMtuBytes()
            || dpu.vtepAddress().family() != old.vtepAddress().family();
    if (sized) {
      events.addAll(adjustedNetworks(image, dpu));
    }
    return events;
  }

  private static List<Event> delete(Image image, DeleteDpu command) {
    Dpu old = Refusals.existing(image.dpu(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Refusals.unused(old.name(), "ports", image.portsOf(old.name()).keySet());
    return List.of(new DpuDeleted(old.name()));
  }

  private static void checkVtep(Image image, Dpu dpu) {
    Optional<DpuName> owner = image.dpuAt(dpu.vtepAddress());
    if (owner.isPresent() && !owner.get().equals(dpu.name())) {
      throw Refusals.taken("vtep_address", dpu.vtepAddress() + " is taken by " + owner.get());
    }
  }

  /** Every network that the DPU carries, where another underlay gives it another MTU. */
  private static List<Event> adjustedNetworks(Image image, Dpu dpu) {
    List<Event> events = new ArrayList<>();
    List<NetworkName> carried =
        image.portsOf(dpu.name()).keySet().stream().map(PortName::network).distinct().toList();
    for (NetworkName name : carried) {
      Network network = Refusals.existing(image.network(name), name);
      Carriers carriers = Carriers.of(image, name).plus(dpu);
      carriers.checkFamily(dpu.name(), "vtep_address");
      PeeringReach.checkTunnelsToPeers(image, name, dpu, "vtep_address");
      events.addAll(carriers.adjust(image, network, "underlay_mtu_bytes", dpu.updatedAt()));
    }
    return events;
  }
}
