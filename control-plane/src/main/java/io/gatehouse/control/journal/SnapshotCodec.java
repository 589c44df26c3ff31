package io.gatehouse.control.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.ImageState;
import io.gatehouse.control.image.RememberedRequest;
import io.gatehouse.control.image.RestingVni;
import io.gatehouse.control.journal.identity.IdentitySnapshotCodec;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.proto.storage.v1.NetworkCarriers;
import io.gatehouse.proto.storage.v1.Snapshot;
import io.gatehouse.wire.DpuWire;
import io.gatehouse.wire.NetworkWire;
import io.gatehouse.wire.OperatorWire;
import io.gatehouse.wire.PeeringWire;
import io.gatehouse.wire.PortWire;
import io.gatehouse.wire.QuarantineWire;
import io.gatehouse.wire.SecurityGroupWire;
import io.gatehouse.wire.TenantWire;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Images as payloads of the snapshots' rows. */
final class SnapshotCodec {
  private SnapshotCodec() {}

  static byte[] encode(Image image) {
    ImageState state = image.state();
    Snapshot.Builder message =
        Snapshot.newBuilder().setRevision(state.revision()).setLastVni(state.lastVni());
    state.tenants().forEach(tenant -> message.addTenants(TenantWire.toProto(tenant)));
    state.networks().forEach(network -> message.addNetworks(NetworkWire.toProto(network)));
    state.ports().forEach(port -> message.addPorts(PortWire.toProto(port)));
    state.dpus().forEach(dpu -> message.addDpus(DpuWire.toProto(dpu)));
    state.operators().forEach(operator -> message.addOperators(OperatorWire.toProto(operator)));
    state
        .securityGroups()
        .forEach(group -> message.addSecurityGroups(SecurityGroupWire.toProto(group)));
    state.quarantines().forEach(q -> message.addQuarantines(QuarantineWire.toProto(q)));
    state.peerings().forEach(peering -> message.addPeerings(PeeringWire.toProto(peering)));
    state.restingVnis().forEach(rest -> message.addRestingVnis(encode(rest)));
    state
        .carriers()
        .forEach(
            (network, dpus) ->
                message.addCarriers(
                    NetworkCarriers.newBuilder()
                        .setNetwork(network.toString())
                        .addAllDpus(names(dpus))));
    state
        .desiredRevisions()
        .forEach((dpu, revision) -> message.putDesiredRevisions(dpu.toString(), revision));
    state.requests().forEach(request -> message.addRequests(encode(request)));
    message.setIdentities(IdentitySnapshotCodec.encode(state.identities()));
    return message.build().toByteArray();
  }

  /**
   * Reads the payload of a row.
   *
   * @throws InvalidProtocolBufferException if it is no snapshot
   * @throws IllegalArgumentException if it makes no valid image
   */
  static Image decode(byte[] payload) throws InvalidProtocolBufferException {
    Snapshot message = Snapshot.parseFrom(payload);
    return Image.of(
        new ImageState(
            message.getRevision(),
            message.getTenantsList().stream().map(TenantWire::fromProto).toList(),
            message.getNetworksList().stream().map(NetworkWire::fromProto).toList(),
            message.getPortsList().stream().map(PortWire::fromProto).toList(),
            message.getDpusList().stream().map(DpuWire::fromProto).toList(),
            message.getOperatorsList().stream().map(OperatorWire::fromProto).toList(),
            message.getSecurityGroupsList().stream().map(SecurityGroupWire::fromProto).toList(),
            message.getQuarantinesList().stream().map(QuarantineWire::fromProto).toList(),
            message.getPeeringsList().stream().map(PeeringWire::fromProto).toList(),
            message.getRestingVnisList().stream().map(SnapshotCodec::decode).toList(),
            message.getLastVni(),
            message.getCarriersList().stream()
                .collect(
                    Collectors.toMap(
                        carriers -> NetworkName.parse(carriers.getNetwork()),
                        carriers -> dpus(carriers.getDpusList()))),
            message.getDesiredRevisionsMap().entrySet().stream()
                .collect(
                    Collectors.toMap(
                        desired -> DpuName.parse(desired.getKey()), Map.Entry::getValue)),
            message.getRequestsList().stream().map(SnapshotCodec::decode).toList(),
            IdentitySnapshotCodec.decode(message.getIdentities())));
  }

  private static io.gatehouse.proto.storage.v1.RestingVni encode(RestingVni rest) {
    return io.gatehouse.proto.storage.v1.RestingVni.newBuilder()
        .setVni(rest.vni().value())
        .setRevision(rest.revision())
        .addAllDpus(names(rest.dpus()))
        .build();
  }

  private static RestingVni decode(io.gatehouse.proto.storage.v1.RestingVni message) {
    return new RestingVni(
        NetworkWire.vni(message.getVni()), message.getRevision(), dpus(message.getDpusList()));
  }

  private static io.gatehouse.proto.storage.v1.RememberedRequest encode(RememberedRequest request) {
    return io.gatehouse.proto.storage.v1.RememberedRequest.newBuilder()
        .setRequestId(request.requestId())
        .setRequestHash(EntryCodec.encode(request.requestHash()))
        .setSubject(request.subject())
        .setRevision(request.revision())
        .build();
  }

  private static RememberedRequest decode(io.gatehouse.proto.storage.v1.RememberedRequest message) {
    return new RememberedRequest(
        message.getRequestId(),
        EntryCodec.decode(message.getRequestHash()),
        message.getSubject(),
        message.getRevision());
  }

  private static List<String> names(Collection<DpuName> dpus) {
    return dpus.stream().map(Objects::toString).sorted().toList();
  }

  private static Set<DpuName> dpus(List<String> names) {
    return names.stream().map(DpuName::parse).collect(Collectors.toUnmodifiableSet());
  }
}
