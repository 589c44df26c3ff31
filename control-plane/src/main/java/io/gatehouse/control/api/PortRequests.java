package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readWithin;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.PortCommand.CreatePort;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortDraft;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.UpdatePortRequest;
import io.gatehouse.wire.PortSecurityWire;
import io.gatehouse.wire.PortWire;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes commands of requests about ports, with chance and the known facts. */
final class PortRequests {
  private static final Set<String> CHANGEABLE =
      Set.of(
          "display_name",
          "dpu",
          "function",
          "mac_address",
          "ip_addresses",
          "admin_state",
          "security_groups",
          "allowed_address_pairs",
          "rate_limits");

  private final Calls calls;
  private final StatusSource status;
  private final Supplier<UUID> uids;

  PortRequests(Calls calls, StatusSource status, Supplier<UUID> uids) {
    this.calls = calls;
    this.status = status;
    this.uids = uids;
  }

  Command create(CreatePortRequest request) {
    Port port = request.getPort();
    DpuName dpu = read("dpu", port.getDpu(), DpuName::parse);
    TenantPlacement.checkDpu(calls.image(), dpu);
    PortDraft draft =
        new PortDraft(
            port.getDisplayName(),
            dpu,
            port.getFunction(),
            port.getMacAddress().isEmpty() ? Optional.empty() : Optional.of(mac(port)),
            PortWire.addresses(port.getIpAddressesList()),
            PortWire.enabled(port.getAdminState()),
            PortSecurityWire.read(port.getSecurityGroupsList(), port.getAllowedAddressPairsList()),
            limits(port));
    TenantPlacement.checkConnections(draft.limits(), RateLimits.NONE);
    return new CreatePort(
        calls.request(request.getRequestId(), request),
        read("name", port.getName(), PortName::parse),
        draft,
        uids.get(),
        functions(dpu));
  }

  Command update(UpdatePortRequest request) {
    Port port = request.getPort();
    UpdateMask mask = UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    PortPatch patch =
        new PortPatch(
            mask.ifNamed("display_name", port::getDisplayName),
            mask.ifNamed("dpu", () -> read("dpu", port.getDpu(), DpuName::parse)),
            mask.ifNamed("function", port::getFunction),
            mask.ifNamed("mac_address", () -> mac(port)),
            mask.ifNamed("ip_addresses", () -> PortWire.addresses(port.getIpAddressesList())),
            mask.ifNamed("admin_state", () -> PortWire.enabled(port.getAdminState())),
            mask.ifNamed(
                "security_groups", () -> PortSecurityWire.readGroups(port.getSecurityGroupsList())),
            mask.ifNamed(
                "allowed_address_pairs",
                () -> PortSecurityWire.readPairs(port.getAllowedAddressPairsList())),
            mask.ifNamed("rate_limits", () -> limits(port)));
    if (patch.dpu() != null) {
      TenantPlacement.checkDpu(calls.image(), patch.dpu());
    }
    PortName name = read("name", port.getName(), PortName::parse);
    Optional<io.gatehouse.model.Port> there = calls.image().port(name);
    RateLimits given = there.map(io.gatehouse.model.Port::limits).orElse(RateLimits.NONE);
    boolean moves =
        patch.dpu() != null && there.filter(p -> !p.dpu().equals(patch.dpu())).isPresent();
    if (patch.limits() != null || moves) {
      // What the fleet has granted was for the room on one DPU.
      TenantPlacement.checkConnections(
          patch.limits() != null ? patch.limits() : given, moves ? RateLimits.NONE : given);
    }
    Optional<DpuName> dpu =
        patch.dpu() != null ? Optional.of(patch.dpu()) : there.map(io.gatehouse.model.Port::dpu);
    return new UpdatePort(
        calls.request(request.getRequestId(), request),
        name,
        patch,
        port.getEtag(),
        dpu.map(this::functions).orElse(KnownFunctions.NONE));
  }

  private KnownFunctions functions(DpuName dpu) {
    return status
        .functions(dpu)
        .map(known -> KnownFunctions.of(dpu, known))
        .orElse(KnownFunctions.NONE);
  }

  private static RateLimits limits(Port port) {
    return readWithin("rate_limits", port.getRateLimits(), PortSecurityWire::readLimits);
  }

  private static MacAddress mac(Port port) {
    return read("mac_address", port.getMacAddress(), MacAddress::parse);
  }
}
