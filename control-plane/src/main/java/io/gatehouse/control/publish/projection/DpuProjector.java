package io.gatehouse.control.publish.projection;

import io.gatehouse.control.image.Image;
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
 * port on it, those networks' ports, the VTEPs of the DPUs where they are, and the security groups
 * of its own ports. Who is in a group that a rule names is said by the ports: the group itself is
 * no business of this DPU. Pure.
 */
public final class DpuProjector {
  private DpuProjector() {}

  /** The policy as values, in no particular order; empty if no such DPU is registered. */
  public static List<PolicyResource> project(Image image, DpuName dpu) {
    return project(image, dpu, PolicyForm.VALUES);
  }

  /** The policy in a form of its own, in no particular order; empty if there is no such DPU. */
  public static <T> List<T> project(Image image, DpuName dpu, PolicyForm<T> form) {
    List<T> policy = new ArrayList<>();
    if (image.dpu(dpu).isEmpty()) {
      return policy;
    }
    Set<DpuName> vteps = new LinkedHashSet<>();
    vteps.add(dpu);
    Set<SecurityGroupName> groups = new LinkedHashSet<>();
    for (NetworkName network : networks(image, dpu)) {
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
    for (SecurityGroupName group : groups) {
      image.securityGroup(group).ifPresent(known -> policy.add(form.securityGroup(known)));
    }
    for (DpuName vtep : vteps) {
      image.dpu(vtep).ifPresent(registered -> policy.add(form.vtep(registered)));
    }
    return policy;
  }

  private static Set<NetworkName> networks(Image image, DpuName dpu) {
    return image.portsOf(dpu).keySet().stream()
        .map(PortName::network)
        .filter(network -> isActive(image, network))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static boolean isActive(Image image, NetworkName network) {
    return !image.tenant(network.tenant()).map(Tenant::suspended).orElse(true);
  }
}
