package io.gatehouse.control.image;

import io.gatehouse.control.image.identity.Identities;
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
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.TreePMap;

/** Builds an image with all its indexes from what a snapshot keeps. */
final class ImageRestorer {
  private ImageRestorer() {}

  static Image restore(ImageState state) {
    return new Image(
        state.revision(),
        resources(state),
        vnis(state),
        PolicyRevisions.of(state.desiredRevisions()),
        requests(state),
        Identities.of(state.identities()));
  }

  private static Resources resources(ImageState state) {
    Map<TenantName, Tenant> tenants = new TreeMap<>();
    state.tenants().forEach(tenant -> tenants.put(tenant.name(), tenant));
    Map<NetworkName, Network> networks = new TreeMap<>();
    state.networks().forEach(network -> networks.put(network.name(), network));
    PortIndex ports = PortIndex.EMPTY;
    for (Port port : state.ports()) {
      ports = ports.plus(port);
    }
    DpuIndex dpus = DpuIndex.EMPTY;
    for (Dpu dpu : state.dpus()) {
      dpus = dpus.plus(dpu);
    }
    Map<OperatorName, Operator> operators = new TreeMap<>();
    state.operators().forEach(operator -> operators.put(operator.name(), operator));
    Map<SecurityGroupName, SecurityGroup> groups = new TreeMap<>();
    state.securityGroups().forEach(group -> groups.put(group.name(), group));
    Quarantines quarantines = Quarantines.EMPTY;
    for (StandingQuarantine standing : state.quarantines()) {
      quarantines = quarantines.with(new Event.QuarantineSet(standing));
    }
    Map<PeeringName, Peering> peerings = new TreeMap<>();
    state.peerings().forEach(peering -> peerings.put(peering.name(), peering));
    return new Resources(
        TreePMap.from(tenants),
        TreePMap.from(networks),
        ports,
        dpus,
        TreePMap.from(operators),
        TreePMap.from(groups),
        quarantines,
        TreePMap.from(peerings));
  }

  private static VniRegister vnis(ImageState state) {
    Map<Vni, NetworkName> used = new HashMap<>();
    state.networks().forEach(network -> used.put(network.vni(), network.name()));
    Map<Vni, RestingVni> resting = new TreeMap<>();
    state.restingVnis().forEach(rest -> resting.put(rest.vni(), rest));
    Map<NetworkName, PSet<DpuName>> carriers = new HashMap<>();
    state.carriers().forEach((network, dpus) -> carriers.put(network, HashTreePSet.from(dpus)));
    PMap<NetworkName, PSet<DpuName>> frozen = HashTreePMap.from(carriers);
    return new VniRegister(
        HashTreePMap.from(used), frozen, TreePMap.from(resting), state.lastVni());
  }

  private static RequestMemory requests(ImageState state) {
    RequestMemory requests = RequestMemory.EMPTY;
    for (RememberedRequest request : state.requests()) {
      requests = requests.with(request);
    }
    return requests;
  }
}
