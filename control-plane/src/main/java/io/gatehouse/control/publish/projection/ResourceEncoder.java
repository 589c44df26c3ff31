package io.gatehouse.control.publish.projection;

import com.google.common.collect.MapMaker;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.wire.PolicyVersions;
import io.gatehouse.wire.PolicyWire;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes policies. A record of the model is encoded and hashed once, whichever DPUs need it, and
 * its encoding lives as long as the record does: images share the records that did not change. Safe
 * for use by many threads.
 */
public final class ResourceEncoder implements PolicyForm<EncodedResource> {
  private final Map<Network, EncodedResource> networks = byIdentity();
  private final Map<Port, EncodedResource> localPorts = byIdentity();
  private final Map<Port, EncodedResource> remotePorts = byIdentity();
  private final Map<Port, EncodedResource> peerPorts = byIdentity();
  private final Map<Network, Map<Peering, EncodedResource>> peerings = byIdentity();
  private final Map<SecurityGroup, EncodedResource> groups = byIdentity();
  private final Map<Dpu, EncodedResource> vteps = byIdentity();

  /** The DPU's policy; empty if no such DPU is registered. */
  public Optional<Projection> project(Image image, DpuName dpu) {
    if (image.dpu(dpu).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(Projection.of(image.revision(), DpuProjector.project(image, dpu, this)));
  }

  @Override
  public EncodedResource network(Network network) {
    return networks.computeIfAbsent(network, n -> encode(VALUES.network(n)));
  }

  @Override
  public EncodedResource localPort(Port port, Optional<Quarantine> quarantine) {
    // One that is cut off is rare, and for one DPU only.
    return quarantine.isPresent()
        ? encode(VALUES.localPort(port, quarantine))
        : localPorts.computeIfAbsent(port, p -> encode(VALUES.localPort(p, Optional.empty())));
  }

  @Override
  public EncodedResource remotePort(Port port) {
    return remotePorts.computeIfAbsent(port, p -> encode(VALUES.remotePort(p)));
  }

  @Override
  public EncodedResource peerPort(Port port) {
    return peerPorts.computeIfAbsent(port, p -> encode(VALUES.peerPort(p)));
  }

  @Override
  public EncodedResource peering(Peering peering, Network peer) {
    return peerings
        .computeIfAbsent(peer, n -> byIdentity())
        .computeIfAbsent(peering, p -> encode(VALUES.peering(p, peer)));
  }

  @Override
  public EncodedResource securityGroup(SecurityGroup group) {
    return groups.computeIfAbsent(group, g -> encode(VALUES.securityGroup(g)));
  }

  @Override
  public EncodedResource vtep(Dpu dpu) {
    return vteps.computeIfAbsent(dpu, d -> encode(VALUES.vtep(d)));
  }

  private static EncodedResource encode(PolicyResource resource) {
    return new EncodedResource(PolicyVersions.withVersion(PolicyWire.toProto(resource)));
  }

  /** Weak keys are compared by identity: an equal record from another image is encoded anew. */
  private static <K, V> Map<K, V> byIdentity() {
    return new MapMaker().weakKeys().makeMap();
  }
}
