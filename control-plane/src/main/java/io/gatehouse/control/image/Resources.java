package io.gatehouse.control.image;

import io.gatehouse.control.image.Event.DpuDeleted;
import io.gatehouse.control.image.Event.DpuPut;
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
import io.gatehouse.model.Network;
import io.gatehouse.model.Operator;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.security.SecurityGroup;
import java.util.List;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/** All resources of one revision. */
record Resources(
    TreePMap<TenantName, Tenant> tenants,
    TreePMap<NetworkName, Network> networks,
    PortIndex ports,
    DpuIndex dpus,
    TreePMap<OperatorName, Operator> operators,
    TreePMap<SecurityGroupName, SecurityGroup> groups,
    Quarantines quarantines,
    TreePMap<PeeringName, Peering> peerings) {
  static final Resources EMPTY =
      new Resources(
          TreePMap.empty(),
          TreePMap.empty(),
          PortIndex.EMPTY,
          DpuIndex.EMPTY,
          TreePMap.empty(),
          TreePMap.empty(),
          Quarantines.EMPTY,
          TreePMap.empty());

  Resources with(Event event) {
    if (event instanceof TenantPut put) {
      return with(tenants.plus(put.tenant().name(), put.tenant()));
    }
    if (event instanceof TenantDeleted deleted) {
      return with(tenants.minus(deleted.name()));
    }
    if (event instanceof NetworkPut put) {
      return withNetworks(networks.plus(put.network().name(), put.network()));
    }
    if (event instanceof NetworkDeleted deleted) {
      return withNetworks(networks.minus(deleted.name()));
    }
    if (event instanceof PortPut put) {
      return with(ports.plus(put.port()));
    }
    if (event instanceof PortDeleted deleted) {
      return with(ports.minus(deleted.name()));
    }
    if (event instanceof DpuPut put) {
      return with(dpus.plus(put.dpu()));
    }
    if (event instanceof DpuDeleted deleted) {
      return with(dpus.minus(deleted.name()));
    }
    if (event instanceof OperatorPut put) {
      return withOperators(operators.plus(put.operator().name(), put.operator()));
    }
    if (event instanceof OperatorDeleted deleted) {
      return withOperators(operators.minus(deleted.name()));
    }
    if (event instanceof SecurityGroupPut put) {
      return withGroups(groups.plus(put.group().name(), put.group()));
    }
    if (event instanceof SecurityGroupDeleted deleted) {
      return withGroups(groups.minus(deleted.name()));
    }
    if (event instanceof QuarantineSet || event instanceof QuarantineReleased) {
      Quarantines next = quarantines.with(event);
      return new Resources(tenants, networks, ports, dpus, operators, groups, next, peerings);
    }
    if (event instanceof PeeringPut put) {
      return withPeerings(peerings.plus(put.peering().name(), put.peering()));
    }
    if (event instanceof PeeringDeleted deleted) {
      return withPeerings(peerings.minus(deleted.name()));
    }
    return this;
  }

  /** The peerings of the networks from one to another. */
  PSortedMap<PeeringName, Peering> peeringsBetween(NetworkName first, NetworkName last) {
    return peerings.subMap(
        new PeeringName(first, Image.FIRST_ID), true, new PeeringName(last, Image.LAST_ID), true);
  }

  /** The networks that exchange packets with this one. */
  List<NetworkName> peersOf(NetworkName network) {
    return peeringsBetween(network, network).values().stream()
        .filter(Peering::active)
        .map(Peering::peer)
        .toList();
  }

  private Resources with(TreePMap<TenantName, Tenant> next) {
    return new Resources(next, networks, ports, dpus, operators, groups, quarantines, peerings);
  }

  private Resources withNetworks(TreePMap<NetworkName, Network> next) {
    return new Resources(tenants, next, ports, dpus, operators, groups, quarantines, peerings);
  }

  private Resources with(PortIndex next) {
    return new Resources(tenants, networks, next, dpus, operators, groups, quarantines, peerings);
  }

  private Resources with(DpuIndex next) {
    return new Resources(tenants, networks, ports, next, operators, groups, quarantines, peerings);
  }

  private Resources withOperators(TreePMap<OperatorName, Operator> next) {
    return new Resources(tenants, networks, ports, dpus, next, groups, quarantines, peerings);
  }

  private Resources withGroups(TreePMap<SecurityGroupName, SecurityGroup> next) {
    return new Resources(tenants, networks, ports, dpus, operators, next, quarantines, peerings);
  }

  private Resources withPeerings(TreePMap<PeeringName, Peering> next) {
    return new Resources(tenants, networks, ports, dpus, operators, groups, quarantines, next);
  }
}
