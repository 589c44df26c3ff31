package io.gatehouse.control.image;

import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/** All ports by name, by DPU, by network and by security group; the four always say the same. */
record PortIndex(
    TreePMap<PortName, Port> byName,
    PMap<DpuName, TreePMap<PortName, Port>> byDpu,
    PMap<NetworkName, NetworkMembers> byNetwork,
    PMap<SecurityGroupName, TreePMap<PortName, DpuName>> byGroup) {
  static final PortIndex EMPTY =
      new PortIndex(
          TreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());

  TreePMap<PortName, Port> of(DpuName dpu) {
    return byDpu.getOrDefault(dpu, TreePMap.empty());
  }

  NetworkMembers of(NetworkName network) {
    return byNetwork.getOrDefault(network, NetworkMembers.NONE);
  }

  TreePMap<PortName, DpuName> of(SecurityGroupName group) {
    return byGroup.getOrDefault(group, TreePMap.empty());
  }

  PortIndex plus(Port port) {
    PortIndex rest = minus(port.name());
    NetworkName network = port.name().network();
    PMap<SecurityGroupName, TreePMap<PortName, DpuName>> groups = rest.byGroup;
    for (SecurityGroupName group : port.security().groups()) {
      groups = groups.plus(group, rest.of(group).plus(port.name(), port.dpu()));
    }
    return new PortIndex(
        rest.byName.plus(port.name(), port),
        rest.byDpu.plus(port.dpu(), rest.of(port.dpu()).plus(port.name(), port)),
        rest.byNetwork.plus(network, rest.of(network).plus(port)),
        groups);
  }

  PortIndex minus(PortName name) {
    Port port = byName.get(name);
    if (port == null) {
      return this;
    }
    TreePMap<PortName, Port> dpuPorts = of(port.dpu()).minus(name);
    NetworkMembers members = of(name.network()).minus(port);
    PMap<SecurityGroupName, TreePMap<PortName, DpuName>> groups = byGroup;
    for (SecurityGroupName group : port.security().groups()) {
      TreePMap<PortName, DpuName> others = of(group).minus(name);
      groups = others.isEmpty() ? groups.minus(group) : groups.plus(group, others);
    }
    return new PortIndex(
        byName.minus(name),
        dpuPorts.isEmpty() ? byDpu.minus(port.dpu()) : byDpu.plus(port.dpu(), dpuPorts),
        members.macs().isEmpty()
            ? byNetwork.minus(name.network())
            : byNetwork.plus(name.network(), members),
        groups);
  }
}
