package io.gatehouse.control.publish.projection;

import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.SecurityGroup;
import java.util.List;
import java.util.Optional;

/**
 * The form that a projected policy takes.
 *
 * @param <T> one resource of the policy
 */
public interface PolicyForm<T> {
  /** Plain values. */
  PolicyForm<PolicyResource> VALUES =
      new PolicyForm<>() {
        @Override
        public PolicyResource network(Network network) {
          return new NetworkPolicy(
              network.name(),
              network.vni(),
              network.cidrs(),
              network.effectiveMtuBytes(),
              network.receiveMtuBytes(),
              network.probeMtuBytes(),
              network.hosts());
        }

        @Override
        public PolicyResource localPort(Port port, Optional<Quarantine> quarantine) {
          return new LocalPortPolicy(
              port.name(),
              port.uid(),
              port.function(),
              port.mac(),
              port.addresses(),
              port.enabled(),
              port.security(),
              port.limits(),
              quarantine);
        }

        @Override
        public PolicyResource remotePort(Port port) {
          return new RemotePortPolicy(
              port.name(), port.uid(), port.mac(), port.addresses(), port.dpu(), port.security());
        }

        @Override
        public PolicyResource peerPort(Port port) {
          return new RemotePortPolicy(
              port.name(),
              port.uid(),
              port.mac(),
              port.addresses(),
              port.dpu(),
              new PortSecurity(List.of(), port.security().allowedPairs()));
        }

        @Override
        public PolicyResource peering(Peering peering, Network peer) {
          return new PeeringPolicy(
              peering.name(), peer.name(), peer.vni(), peer.cidrs(), peer.effectiveMtuBytes());
        }

        @Override
        public PolicyResource securityGroup(SecurityGroup group) {
          return new SecurityGroupPolicy(group.name(), group.rules());
        }

        @Override
        public PolicyResource vtep(Dpu dpu) {
          return new VtepPolicy(dpu.name(), dpu.vtepAddress());
        }
      };

  /** A network with a port on the DPU. */
  T network(Network network);

  /** A port on the DPU. */
  T localPort(Port port, Optional<Quarantine> quarantine);

  /** A port of one of the DPU's networks, elsewhere. */
  T remotePort(Port port);

  /**
   * A port of a network that one of the DPU's networks peers with, and that has no port here.
   * Without its groups: who is in a group is nobody's business but the network's own.
   */
  T peerPort(Port port);

  /** An active peering of a network with a port on the DPU. */
  T peering(Peering peering, Network peer);

  /** A security group of a port on the DPU. */
  T securityGroup(SecurityGroup group);

  /** A DPU: this one, or one with such a port. */
  T vtep(Dpu dpu);
}
