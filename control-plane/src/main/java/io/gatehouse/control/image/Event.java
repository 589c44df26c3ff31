package io.gatehouse.control.image;

import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Operator;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.StandingQuarantine;

/** Something that happened. Resources are carried whole: an event never depends on an older one. */
public sealed interface Event {

  /** A tenant was made or changed. */
  record TenantPut(Tenant tenant) implements Event {}

  /** A tenant was removed. */
  record TenantDeleted(TenantName name) implements Event {}

  /** A network was made or changed. */
  record NetworkPut(Network network) implements Event {}

  /** A network was removed; its VNI rests from now on. */
  record NetworkDeleted(NetworkName name, Vni vni) implements Event {}

  /** A VNI rests no longer: every DPU that carried it has confirmed its end, or is gone. */
  record VniReleased(Vni vni) implements Event {}

  /** A port was made or changed. */
  record PortPut(Port port) implements Event {}

  /** A port was removed. */
  record PortDeleted(PortName name) implements Event {}

  /** A DPU was made or changed. */
  record DpuPut(Dpu dpu) implements Event {}

  /** A DPU was removed. */
  record DpuDeleted(DpuName name) implements Event {}

  /** Something happened to authorities, certificates or tokens; it concerns no DPU's policy. */
  record IdentityChanged(IdentityEvent event) implements Event {}

  /** A security group was made or changed. */
  record SecurityGroupPut(SecurityGroup group) implements Event {}

  /** A security group was removed. */
  record SecurityGroupDeleted(SecurityGroupName name) implements Event {}

  /** A quarantine was set, or replaced. */
  record QuarantineSet(StandingQuarantine quarantine) implements Event {}

  /** A quarantine was released. */
  record QuarantineReleased(QuarantineTarget target) implements Event {}

  /** A peering was made or changed, or has changed its state because of the other side. */
  record PeeringPut(Peering peering) implements Event {}

  /** A peering was removed. */
  record PeeringDeleted(PeeringName name) implements Event {}

  /** An operator was made or changed. */
  record OperatorPut(Operator operator) implements Event {}

  /** An operator was removed. */
  record OperatorDeleted(OperatorName name) implements Event {}
}
