package io.gatehouse.control.publish.projection;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cuts a DPU's policy out of the image: its own VTEP, the networks of active tenants that have a
 * port on it, those networks' ports and active peerings, the peers' ports, the VTEPs of the DPUs
 * where they are, and the security groups of its own ports. Who is in a group that a rule names is
 * said by the ports of its own networks: the group itself is no business of this DPU. Pure.
 *
 * @param <T> one resource of the policy
 */
public final class DpuProjector<T> {
  private final Image image;
  private final DpuName dpu;
  private final PolicyForm<T> form;
  private final List<T> policy = new ArrayList<>();
  private final Set<DpuName> vteps = new LinkedHashSet<>();
  private final Set<SecurityGroupName> groups = new LinkedHashSet<>();

  private DpuProjector(Image image, DpuName dpu, PolicyForm<T> form) {
    this.image = image;
    this.dpu = dpu;
    this.form = form;
  }

  /** The policy as values, in no particular order; empty if no such DPU is registered. */
  public static List<PolicyResource> project(Image image, DpuName dpu) {
    return project(image, dpu, PolicyForm.VALUES);
  }

  /** The policy in a form of its own, in no particular order; empty if there is no such DPU. */
  public static <T> List<T> project(Image image, DpuName dpu, PolicyForm<T> form) {
    DpuProjector<T> projector = new DpuProjector<>(image, dpu, form);
    if (image.dpu(dpu).isPresent()) {
      projector.project();
    }
    return projector.policy;
  }

  private void project() {
    vteps.add(dpu);
    Set<NetworkName> networks = networks();
    networks.forEach(this::addNetwork);
    Set<NetworkName> peers = new LinkedHashSet<>();
    for (NetworkName network : networks) {
      addPeerings(network, peers);
    }
    // One with a port here is known with all that it has.
    peers.removeAll(networks);
    peers.forEach(this::addPeerPorts);
    for (SecurityGroupName group : groups) {
      image.securityGroup(group).ifPresent(known -> policy.add(form.securityGroup(known)));
    }
    for (DpuName vtep : vteps) {
      image.dpu(vtep).ifPresent(registered -> policy.add(form.vtep(registered)));
    }
  }

  private void addNetwork(NetworkName network) {
    image.network(network).ifPresent(carried -> policy.add(form.network(carried)));
    for (Port port : image.portsOf(network).values()) {
      if (port.dpu().equals(dpu)) {
        policy.add(form.localPort(port, image.quarantineOf(port)));
        groups.addAll(port.security().groups());
      } else if (port.enabled()) {
        policy.add(form.remotePort(port));
        vteps.add(port.dpu());
      }
    }
  }

  private void addPeerings(NetworkName network, Set<NetworkName> peers) {
    for (Peering peering : image.peeringsOf(network).values()) {
      if (peering.active() && isActive(peering.peer())) {
        image.network(peering.peer()).ifPresent(peer -> policy.add(form.peering(peering, peer)));
        peers.add(peering.peer());
      }
    }
  }

  private void addPeerPorts(NetworkName peer) {
    for (Port port : image.portsOf(peer).values()) {
      if (port.enabled()) {
        policy.add(form.peerPort(port));
        vteps.add(port.dpu());
      }
    }
  }

  private Set<NetworkName> networks() {
    return image.portsOf(dpu).keySet().stream()
        .map(PortName::network)
        .filter(this::isActive)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private boolean isActive(NetworkName network) {
    return !image.tenant(network.tenant()).map(Tenant::suspended).orElse(true);
  }
}
