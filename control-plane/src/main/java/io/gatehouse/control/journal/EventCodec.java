package io.gatehouse.control.journal;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.DpuDeleted;
import io.gatehouse.control.image.Event.DpuPut;
import io.gatehouse.control.image.Event.IdentityChanged;
import io.gatehouse.control.image.Event.NetworkDeleted;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Event.OperatorDeleted;
import io.gatehouse.control.image.Event.OperatorPut;
import io.gatehouse.control.image.Event.PeeringDeleted;
import io.gatehouse.control.image.Event.PeeringPut;
import io.gatehouse.control.image.Event.PortDeleted;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.control.image.Event.QuarantineReleased;
import io.gatehouse.control.image.Event.QuarantineSet;
import io.gatehouse.control.image.Event.SecurityGroupDeleted;
import io.gatehouse.control.image.Event.SecurityGroupPut;
import io.gatehouse.control.image.Event.TenantDeleted;
import io.gatehouse.control.image.Event.TenantPut;
import io.gatehouse.control.image.Event.VniReleased;
import io.gatehouse.control.journal.identity.IdentityEventCodec;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.wire.DpuWire;
import io.gatehouse.wire.NetworkWire;
import io.gatehouse.wire.OperatorWire;
import io.gatehouse.wire.PeeringWire;
import io.gatehouse.wire.PortWire;
import io.gatehouse.wire.QuarantineWire;
import io.gatehouse.wire.SecurityGroupWire;
import io.gatehouse.wire.TenantWire;

/** Events as stored messages. */
final class EventCodec {
  private EventCodec() {}

  static io.gatehouse.proto.storage.v1.Event encode(Event event) {
    var message = io.gatehouse.proto.storage.v1.Event.newBuilder();
    if (event instanceof TenantPut put) {
      message.setTenantPut(TenantWire.toProto(put.tenant()));
    } else if (event instanceof TenantDeleted deleted) {
      message.setTenantDeleted(deleted.name().toString());
    } else if (event instanceof NetworkPut put) {
      message.setNetworkPut(NetworkWire.toProto(put.network()));
    } else if (event instanceof NetworkDeleted deleted) {
      message.setNetworkDeleted(
          io.gatehouse.proto.storage.v1.NetworkDeleted.newBuilder()
              .setName(deleted.name().toString())
              .setVni(deleted.vni().value()));
    } else if (event instanceof VniReleased released) {
      message.setVniReleased(released.vni().value());
    } else if (event instanceof PortPut put) {
      message.setPortPut(PortWire.toProto(put.port()));
    } else if (event instanceof PortDeleted deleted) {
      message.setPortDeleted(deleted.name().toString());
    } else if (event instanceof DpuPut put) {
      message.setDpuPut(DpuWire.toProto(put.dpu()));
    } else if (event instanceof DpuDeleted deleted) {
      message.setDpuDeleted(deleted.name().toString());
    } else if (event instanceof IdentityChanged changed) {
      IdentityEventCodec.encode(changed.event(), message);
    } else if (event instanceof OperatorPut put) {
      message.setOperatorPut(OperatorWire.toProto(put.operator()));
    } else if (event instanceof OperatorDeleted deleted) {
      message.setOperatorDeleted(deleted.name().toString());
    } else if (event instanceof SecurityGroupPut put) {
      message.setSecurityGroupPut(SecurityGroupWire.toProto(put.group()));
    } else if (event instanceof SecurityGroupDeleted deleted) {
      message.setSecurityGroupDeleted(deleted.name().toString());
    } else if (event instanceof QuarantineSet set) {
      message.setQuarantineSet(QuarantineWire.toProto(set.quarantine()));
    } else if (event instanceof QuarantineReleased released) {
      message.setQuarantineReleased(released.target().name());
    } else if (event instanceof PeeringPut put) {
      message.setPeeringPut(PeeringWire.toProto(put.peering()));
    } else if (event instanceof PeeringDeleted deleted) {
      message.setPeeringDeleted(deleted.name().toString());
    }
    return message.build();
  }

  /**
   * Reads one event.
   *
   * @throws InvalidValueException if it makes no valid event
   */
  static Event decode(io.gatehouse.proto.storage.v1.Event message) {
    return switch (message.getEventCase()) {
      case TENANT_PUT -> new TenantPut(TenantWire.fromProto(message.getTenantPut()));
      case TENANT_DELETED ->
          new TenantDeleted(read("tenant_deleted", message.getTenantDeleted(), TenantName::parse));
      case NETWORK_PUT -> new NetworkPut(NetworkWire.fromProto(message.getNetworkPut()));
      case NETWORK_DELETED ->
          new NetworkDeleted(
              read(
                  "network_deleted.name",
                  message.getNetworkDeleted().getName(),
                  NetworkName::parse),
              NetworkWire.vni(message.getNetworkDeleted().getVni()));
      case VNI_RELEASED -> new VniReleased(NetworkWire.vni(message.getVniReleased()));
      case PORT_PUT -> new PortPut(PortWire.fromProto(message.getPortPut()));
      case PORT_DELETED ->
          new PortDeleted(read("port_deleted", message.getPortDeleted(), PortName::parse));
      case DPU_PUT -> new DpuPut(DpuWire.fromProto(message.getDpuPut()));
      case DPU_DELETED ->
          new DpuDeleted(read("dpu_deleted", message.getDpuDeleted(), DpuName::parse));
      case ROOT_ESTABLISHED,
          AUTHORITY_PUT,
          AUTHORITY_REVOKED,
          TOKEN_PUT,
          TOKEN_USED,
          TOKEN_REDEEMED,
          POLICY_KEY_PUT,
          TOKEN_WITHDRAWN,
          CERTIFICATE_ISSUED,
          IDENTITY_REVOKED ->
          new IdentityChanged(IdentityEventCodec.decode(message));
      case OPERATOR_PUT -> new OperatorPut(OperatorWire.fromProto(message.getOperatorPut()));
      case OPERATOR_DELETED ->
          new OperatorDeleted(
              read("operator_deleted", message.getOperatorDeleted(), OperatorName::parse));
      case SECURITY_GROUP_PUT ->
          new SecurityGroupPut(SecurityGroupWire.fromProto(message.getSecurityGroupPut()));
      case SECURITY_GROUP_DELETED ->
          new SecurityGroupDeleted(
              read(
                  "security_group_deleted",
                  message.getSecurityGroupDeleted(),
                  SecurityGroupName::parse));
      case QUARANTINE_SET ->
          new QuarantineSet(QuarantineWire.fromProto(message.getQuarantineSet()));
      case QUARANTINE_RELEASED ->
          new QuarantineReleased(QuarantineWire.target(message.getQuarantineReleased()));
      case PEERING_PUT -> new PeeringPut(PeeringWire.fromProto(message.getPeeringPut()));
      case PEERING_DELETED ->
          new PeeringDeleted(
              read("peering_deleted", message.getPeeringDeleted(), PeeringName::parse));
      case EVENT_NOT_SET ->
          throw new InvalidValueException("event", "not set", "is of a kind not known here");
    };
  }
}
