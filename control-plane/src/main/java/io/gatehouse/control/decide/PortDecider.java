package io.gatehouse.control.decide;

import static java.util.Objects.requireNonNullElse;

import io.gatehouse.control.decide.PortCommand.CreatePort;
import io.gatehouse.control.decide.PortCommand.DeletePort;
import io.gatehouse.control.decide.PortCommand.PortDraft;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.fit.AddressAllocator;
import io.gatehouse.control.decide.peering.PeeringReach;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.PortDeleted;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.control.image.Event.QuarantineReleased;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.SecurityGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Decides commands about ports. */
final class PortDecider {
  private PortDecider() {}

  static List<Event> decide(Image image, PortCommand command) {
    if (command instanceof CreatePort create) {
      return create(image, create);
    }
    if (command instanceof UpdatePort update) {
      return update(image, update);
    }
    return delete(image, (DeletePort) command);
  }

  private static List<Event> create(Image image, CreatePort command) {
    PortName name = command.name();
    Network network = Refusals.existing(image.network(name.network()), name.network());
    Refusals.absent(image.port(name), name);
    checkQuota(image, name);
    PortDraft draft = command.draft();
    PortPlacement.check(image, draft.dpu(), draft.function(), name, command.functions());
    AddressAllocator allocator = new AddressAllocator(network, image.membersOf(network.name()));
    MacAddress mac =
        draft
            .mac()
            .map(asked -> allocator.checkMac(asked, name))
            .orElseGet(() -> allocator.allocateMac(command.uid(), name));
    List<IpAddress> addresses =
        draft.addresses().isEmpty()
            ? allocator.allocateAddresses(draft.security().allowedPairs())
            : allocator.checkAddresses(draft.addresses(), name);
    Instant now = command.request().time();
    Port port =
        new Port(
            name,
            draft.displayName(),
            draft.dpu(),
            draft.function(),
            mac,
            addresses,
            draft.enabled(),
            withDefaultGroup(image, draft.security(), name.network().tenant()),
            draft.limits(),
            command.uid().toString(),
            now,
            now);
    checkSecurity(image, port, allocator);
    Dpu dpu = Refusals.existing(image.dpu(port.dpu()), "dpu", port.dpu());
    return with(new PortPut(port), Carriers.joined(image, network, dpu, now));
  }

  private static List<Event> update(Image image, UpdatePort command) {
    Port old = Refusals.existing(image.port(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Network network = Refusals.existing(image.network(old.name().network()), old.name().network());
    Port port = patched(old, command.patch(), command.request().time());
    boolean moved = !port.dpu().equals(old.dpu()) || !port.function().equals(old.function());
    if (moved) {
      PortPlacement.check(image, port.dpu(), port.function(), port.name(), command.functions());
    }
    AddressAllocator allocator = new AddressAllocator(network, image.membersOf(network.name()));
    allocator.checkMac(port.mac(), port.name());
    allocator.checkAddresses(port.addresses(), port.name());
    checkSecurity(image, port, allocator);
    if (port.dpu().equals(old.dpu())) {
      return List.of(new PortPut(port));
    }
    Carriers carriers = moved(image, old, port.dpu());
    return with(new PortPut(port), carriers.adjust(image, network, "dpu", port.updatedAt()));
  }

  private static List<Event> delete(Image image, DeletePort command) {
    Port old = Refusals.existing(image.port(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Network network = Refusals.existing(image.network(old.name().network()), old.name().network());
    Dpu dpu = Refusals.existing(image.dpu(old.dpu()), "dpu", old.dpu());
    List<Event> events = new ArrayList<>();
    events.add(new PortDeleted(old.name()));
    QuarantineTarget target = new QuarantineTarget.OfPort(old.name());
    if (image.quarantines().containsKey(target)) {
      // A port made under its name later is another one.
      events.add(new QuarantineReleased(target));
    }
    events.addAll(Carriers.left(image, network, dpu, command.request().time()));
    return events;
  }

  private static Port patched(Port old, PortPatch patch, Instant now) {
    return new Port(
        old.name(),
        requireNonNullElse(patch.displayName(), old.displayName()),
        requireNonNullElse(patch.dpu(), old.dpu()),
        requireNonNullElse(patch.function(), old.function()),
        requireNonNullElse(patch.mac(), old.mac()),
        requireNonNullElse(patch.addresses(), old.addresses()),
        requireNonNullElse(patch.enabled(), old.enabled()),
        new PortSecurity(
            requireNonNullElse(patch.groups(), old.security().groups()),
            requireNonNullElse(patch.allowedPairs(), old.security().allowedPairs())),
        requireNonNullElse(patch.limits(), old.limits()),
        old.uid(),
        old.createdAt(),
        now);
  }

  /** A port that names no group gets the tenant's default one, where the tenant has made one. */
  private static PortSecurity withDefaultGroup(Image image, PortSecurity asked, TenantName tenant) {
    SecurityGroupName group = new SecurityGroupName(tenant, SecurityGroup.DEFAULT_ID);
    return asked.groups().isEmpty() && image.securityGroup(group).isPresent()
        ? new PortSecurity(List.of(group), asked.allowedPairs())
        : asked;
  }

  /** After the port was made: a group of another tenant is refused as such, there or not. */
  private static void checkSecurity(Image image, Port port, AddressAllocator allocator) {
    for (SecurityGroupName group : port.security().groups()) {
      Refusals.existing(image.securityGroup(group), "security_groups", group);
    }
    allocator.checkPairs(port.security().allowedPairs(), port.name());
  }

  private static void checkQuota(Image image, PortName name) {
    TenantName owner = name.network().tenant();
    Tenant tenant = Refusals.existing(image.tenant(owner), owner);
    int ports = image.portsOf(owner).size();
    if (ports >= tenant.quota().maxPorts()) {
      throw new RefusedException(
          Kind.RESOURCE_EXHAUSTED,
          owner + " has " + ports + " ports, its quota is " + tenant.quota().maxPorts());
    }
  }

  /** The DPUs that carry the network once the port is on another one; refused if it does not go. */
  private static Carriers moved(Image image, Port port, DpuName to) {
    NetworkName network = port.name().network();
    Carriers carriers = Carriers.of(image, network);
    boolean last = image.membersOf(network).portsByDpu().getOrDefault(port.dpu(), 0) == 1;
    Dpu dpu = Refusals.existing(image.dpu(to), "dpu", to);
    Carriers next = (last ? carriers.minus(port.dpu()) : carriers).plus(dpu);
    next.checkFamily(to, "dpu");
    PeeringReach.checkTunnelsToPeers(image, network, dpu, "dpu");
    return next;
  }

  /** The port's event, and the network's if its MTU changes with its DPUs. */
  private static List<Event> with(Event portEvent, List<Event> networkEvents) {
    return Stream.concat(Stream.of(portEvent), networkEvents.stream()).toList();
  }
}
