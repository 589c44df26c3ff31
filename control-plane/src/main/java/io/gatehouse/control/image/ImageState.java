package io.gatehouse.control.image;

import io.gatehouse.control.image.identity.IdentitiesState;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Operator;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * An image without its indexes: what a snapshot keeps.
 *
 * @param carriers the DPUs that had a port of the network, or of one that it peered with, at any
 *     time of its life
 * @param desiredRevisions newest revision that changed each DPU's policy
 * @param requests the remembered ones, the oldest first
 */
public record ImageState(
    long revision,
    Collection<Tenant> tenants,
    Collection<Network> networks,
    Collection<Port> ports,
    Collection<Dpu> dpus,
    Collection<Operator> operators,
    Collection<SecurityGroup> securityGroups,
    Collection<StandingQuarantine> quarantines,
    Collection<Peering> peerings,
    Collection<RestingVni> restingVnis,
    int lastVni,
    Map<NetworkName, ? extends Set<DpuName>> carriers,
    Map<DpuName, Long> desiredRevisions,
    Collection<RememberedRequest> requests,
    IdentitiesState identities) {}
