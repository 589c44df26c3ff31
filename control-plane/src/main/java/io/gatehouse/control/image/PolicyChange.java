package io.gatehouse.control.image;

import io.gatehouse.control.image.Event.DpuDeleted;
import io.gatehouse.control.image.Event.DpuPut;
import io.gatehouse.control.image.Event.NetworkDeleted;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Event.PeeringDeleted;
import io.gatehouse.control.image.Event.PeeringPut;
import io.gatehouse.control.image.Event.PortDeleted;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.control.image.Event.QuarantineReleased;
import io.gatehouse.control.image.Event.QuarantineSet;
import io.gatehouse.control.image.Event.SecurityGroupDeleted;
import io.gatehouse.control.image.Event.SecurityGroupPut;
import io.gatehouse.control.image.Event.TenantPut;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.SecurityGroup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What an entry changes in the policy of DPUs: single DPUs, all DPUs of whole networks, and all
 * DPUs with a port of a security group. A change of display names and times is none.
 */
final class PolicyChange {
  private final Image before;
  private final Image after;
  private final Set<DpuName> dpus = new TreeSet<>();
  private final Set<NetworkName> networks = new TreeSet<>();
  private final Set<SecurityGroupName> groups = new TreeSet<>();
  private final Set<NetworkName> sized = new TreeSet<>();

  private PolicyChange(Image before, Image after) {
    this.before = before;
    this.after = after;
  }

  static PolicyChange of(Image before, Image after, Entry entry) {
    PolicyChange change = new PolicyChange(before, after);
    entry.events().forEach(change::add);
    return change;
  }

  /** DPUs that are concerned by themselves; among them each one that left a network. */
  Set<DpuName> dpus() {
    return dpus;
  }

  /** Networks with another MTU than before. */
  Set<NetworkName> sized() {
    return sized;
  }

  /** Networks of which every DPU is concerned. */
  Set<NetworkName> networks() {
    return networks;
  }

  /** Security groups of which every DPU with a port that has it is concerned. */
  Set<SecurityGroupName> groups() {
    return groups;
  }

  private void add(Event event) {
    if (event instanceof TenantPut put) {
      addTenant(put.tenant().name());
    } else if (event instanceof NetworkPut put) {
      addNetwork(put.network().name());
    } else if (event instanceof NetworkDeleted deleted) {
      addNetwork(deleted.name());
    } else if (event instanceof PortPut put) {
      addPort(put.port().name());
    } else if (event instanceof PortDeleted deleted) {
      addPort(deleted.name());
    } else if (event instanceof DpuPut put) {
      addDpu(put.dpu().name());
    } else if (event instanceof DpuDeleted deleted) {
      addDpu(deleted.name());
    } else if (event instanceof SecurityGroupPut put) {
      addGroup(put.group().name());
    } else if (event instanceof SecurityGroupDeleted deleted) {
      addGroup(deleted.name());
    } else if (event instanceof QuarantineSet set) {
      addQuarantine(set.quarantine().target());
    } else if (event instanceof QuarantineReleased released) {
      addQuarantine(released.target());
    } else if (event instanceof PeeringPut put) {
      addPeering(put.peering().name());
    } else if (event instanceof PeeringDeleted deleted) {
      addPeering(deleted.name());
    }
  }

  private void addTenant(TenantName name) {
    if (differ(image -> image.tenant(name).map(Tenant::suspended))) {
      after.networksOf(name).keySet().forEach(this::addWithPeers);
    }
  }

  private void addNetwork(NetworkName name) {
    if (differ(image -> image.network(name).map(PolicyChange::sizes))) {
      sized.add(name);
    }
    if (differ(image -> image.network(name).map(PolicyChange::carried))) {
      addWithPeers(name);
    }
  }

  private void addPort(PortName name) {
    if (differ(image -> image.port(name).map(PolicyChange::carried))) {
      addWithPeers(name.network());
      before.port(name).ifPresent(port -> dpus.add(port.dpu()));
      after.port(name).ifPresent(port -> dpus.add(port.dpu()));
    }
  }

  private void addDpu(DpuName name) {
    if (differ(image -> image.dpu(name).map(Dpu::vtepAddress))) {
      dpus.add(name);
      after.portsOf(name).keySet().forEach(port -> addWithPeers(port.network()));
    }
  }

  private void addGroup(SecurityGroupName name) {
    if (differ(image -> image.securityGroup(name).map(SecurityGroup::rules))) {
      groups.add(name);
    }
  }

  /** Only the DPUs with the ports that are cut off: peers keep what they know of those. */
  private void addQuarantine(QuarantineTarget target) {
    if (target instanceof QuarantineTarget.OfPort of) {
      after.port(of.port()).ifPresent(port -> dpus.add(port.dpu()));
    } else if (target instanceof QuarantineTarget.OfTenant of) {
      networks.addAll(after.networksOf(of.owner()).keySet());
    } else if (target instanceof QuarantineTarget.OfDpu of) {
      after.dpu(of.dpu()).ifPresent(dpu -> dpus.add(dpu.name()));
    }
  }

  /** A peering that is not active, or was not, is told to nobody. */
  private void addPeering(PeeringName name) {
    Optional<NetworkName> was = before.peering(name).filter(Peering::active).map(Peering::peer);
    Optional<NetworkName> is = after.peering(name).filter(Peering::active).map(Peering::peer);
    if (!was.equals(is)) {
      networks.add(name.network());
      was.ifPresent(networks::add);
      is.ifPresent(networks::add);
    }
  }

  /** Whoever peers with a network knows its prefixes, its ports and where they are. */
  private void addWithPeers(NetworkName network) {
    networks.add(network);
    networks.addAll(before.peersOf(network));
    networks.addAll(after.peersOf(network));
  }

  private <T> boolean differ(Function<Image, Optional<T>> part) {
    return !part.apply(before).equals(part.apply(after));
  }

  private static List<Integer> sizes(Network network) {
    return List.of(network.effectiveMtuBytes(), network.receiveMtuBytes());
  }

  /** What DPUs are told of a network. */
  private record Carried(
      Vni vni, List<Cidr> cidrs, List<Integer> sizes, int probeBytes, HostConfiguration hosts) {}

  private static Carried carried(Network network) {
    return new Carried(
        network.vni(), network.cidrs(), sizes(network), network.probeMtuBytes(), network.hosts());
  }

  /** The port without what no DPU is told. */
  private static Port carried(Port port) {
    return new Port(
        port.name(),
        "",
        port.dpu(),
        port.function(),
        port.mac(),
        port.addresses(),
        port.enabled(),
        port.security(),
        port.limits(),
        port.uid(),
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
