package io.gatehouse.control.image;

import io.gatehouse.control.image.Event.DpuDeleted;
import io.gatehouse.control.image.Event.IdentityChanged;
import io.gatehouse.control.image.identity.Identities;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Operator;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PSortedMap;

/**
 * Everything the control plane has accepted, at one revision. Immutable: any thread may keep and
 * read one for as long as it likes. Listings are in name order.
 */
public final class Image {
  public static final Image EMPTY =
      new Image(
          0,
          Resources.EMPTY,
          VniRegister.EMPTY,
          PolicyRevisions.EMPTY,
          RequestMemory.EMPTY,
          Identities.EMPTY);

  /** The least and the greatest id that the grammar of names allows. */
  static final String FIRST_ID = "a";

  static final String LAST_ID = "z".repeat(40);

  private final long revision;
  private final Resources resources;
  private final VniRegister vnis;
  private final PolicyRevisions policies;
  private final RequestMemory requests;
  private final Identities identities;

  Image(
      long revision,
      Resources resources,
      VniRegister vnis,
      PolicyRevisions policies,
      RequestMemory requests,
      Identities identities) {
    this.revision = revision;
    this.resources = resources;
    this.vnis = vnis;
    this.policies = policies;
    this.requests = requests;
    this.identities = identities;
  }

  /** The image that a snapshot was taken of. */
  public static Image of(ImageState state) {
    return ImageRestorer.restore(state);
  }

  /**
   * The image after one more entry. Costs O(log n) for each event, however many DPUs it concerns; a
   * suspended tenant costs it for each of its networks, an active peering for each DPU of the two.
   *
   * @throws IllegalArgumentException if the entry is not the next one
   */
  public Image apply(Entry entry) {
    if (entry.revision() != revision + 1) {
      throw new IllegalArgumentException(
          "revision " + entry.revision() + " does not follow " + revision);
    }
    Resources nextResources = resources;
    VniRegister nextVnis = vnis;
    Identities nextIdentities = identities;
    for (Event event : entry.events()) {
      nextIdentities = with(nextIdentities, entry, event);
      nextResources = nextResources.with(event);
      nextVnis = nextVnis.with(entry.revision(), event, nextResources);
    }
    RequestMemory nextRequests = requests.with(entry);
    Image after =
        new Image(
            entry.revision(), nextResources, nextVnis, policies, nextRequests, nextIdentities);
    PolicyRevisions nextPolicies = policies.with(this, after, entry);
    return new Image(
        entry.revision(), nextResources, nextVnis, nextPolicies, nextRequests, nextIdentities);
  }

  /** Revision of the newest entry in it; 0 before the first. */
  public long revision() {
    return revision;
  }

  public PSortedMap<TenantName, Tenant> tenants() {
    return resources.tenants();
  }

  public PSortedMap<NetworkName, Network> networks() {
    return resources.networks();
  }

  public PSortedMap<PortName, Port> ports() {
    return resources.ports().byName();
  }

  public PSortedMap<DpuName, Dpu> dpus() {
    return resources.dpus().byName();
  }

  /** The fleet's operators, then those of the tenants. */
  public PSortedMap<OperatorName, Operator> operators() {
    return resources.operators();
  }

  public Optional<Operator> operator(OperatorName name) {
    return Optional.ofNullable(resources.operators().get(name));
  }

  public PSortedMap<OperatorName, Operator> operatorsOf(TenantName tenant) {
    return resources
        .operators()
        .subMap(
            OperatorName.ofTenant(tenant, FIRST_ID),
            true,
            OperatorName.ofTenant(tenant, LAST_ID),
            true);
  }

  /** Those of no tenant. */
  public PSortedMap<OperatorName, Operator> fleetOperators() {
    return resources
        .operators()
        .subMap(OperatorName.ofFleet(FIRST_ID), true, OperatorName.ofFleet(LAST_ID), true);
  }

  public PSortedMap<SecurityGroupName, SecurityGroup> securityGroups() {
    return resources.groups();
  }

  public PSortedMap<SecurityGroupName, SecurityGroup> securityGroupsOf(TenantName tenant) {
    return resources
        .groups()
        .subMap(
            new SecurityGroupName(tenant, FIRST_ID),
            true,
            new SecurityGroupName(tenant, LAST_ID),
            true);
  }

  public Optional<SecurityGroup> securityGroup(SecurityGroupName name) {
    return Optional.ofNullable(resources.groups().get(name));
  }

  /** The ports that have the group, with their DPUs. */
  public PSortedMap<PortName, DpuName> membersOf(SecurityGroupName group) {
    return resources.ports().of(group);
  }

  public PSortedMap<QuarantineTarget, StandingQuarantine> quarantines() {
    return resources.quarantines().byTarget();
  }

  /** What cuts the port off: its own quarantine, its tenant's and its DPU's, all that there are. */
  public Optional<Quarantine> quarantineOf(Port port) {
    return resources.quarantines().of(port);
  }

  public PSortedMap<PeeringName, Peering> peerings() {
    return resources.peerings();
  }

  public PSortedMap<PeeringName, Peering> peeringsOf(TenantName tenant) {
    return resources.peeringsBetween(
        new NetworkName(tenant, FIRST_ID), new NetworkName(tenant, LAST_ID));
  }

  public PSortedMap<PeeringName, Peering> peeringsOf(NetworkName network) {
    return resources.peeringsBetween(network, network);
  }

  public Optional<Peering> peering(PeeringName name) {
    return Optional.ofNullable(resources.peerings().get(name));
  }

  /** The networks that exchange packets with this one, in the order of the peerings' names. */
  public List<NetworkName> peersOf(NetworkName network) {
    return resources.peersOf(network);
  }

  public Optional<Tenant> tenant(TenantName name) {
    return Optional.ofNullable(resources.tenants().get(name));
  }

  public Optional<Network> network(NetworkName name) {
    return Optional.ofNullable(resources.networks().get(name));
  }

  public Optional<Port> port(PortName name) {
    return Optional.ofNullable(ports().get(name));
  }

  public Optional<Dpu> dpu(DpuName name) {
    return Optional.ofNullable(dpus().get(name));
  }

  public PSortedMap<NetworkName, Network> networksOf(TenantName tenant) {
    return resources
        .networks()
        .subMap(new NetworkName(tenant, FIRST_ID), true, new NetworkName(tenant, LAST_ID), true);
  }

  public PSortedMap<PortName, Port> portsOf(TenantName tenant) {
    return portsBetween(new NetworkName(tenant, FIRST_ID), new NetworkName(tenant, LAST_ID));
  }

  public PSortedMap<PortName, Port> portsOf(NetworkName network) {
    return portsBetween(network, network);
  }

  public PSortedMap<PortName, Port> portsOf(DpuName dpu) {
    return resources.ports().of(dpu);
  }

  /** What the network's ports occupy: DPUs, MAC addresses, IP addresses. */
  public NetworkMembers membersOf(NetworkName network) {
    return resources.ports().of(network);
  }

  /** The DPUs with a port of the network now, in name order. */
  public Set<DpuName> dpusOf(NetworkName network) {
    return membersOf(network).dpus();
  }

  /** The DPU whose VTEP has the address. */
  public Optional<DpuName> dpuAt(IpAddress vtepAddress) {
    return Optional.ofNullable(resources.dpus().byVtep().get(vtepAddress));
  }

  public Optional<NetworkName> networkOf(Vni vni) {
    return Optional.ofNullable(vnis.used().get(vni));
  }

  /** VNIs of removed networks that are not released yet. */
  public PSortedMap<Vni, RestingVni> restingVnis() {
    return vnis.resting();
  }

  /** The VNI given last, from where the next search starts; 0 if none was. */
  public int lastVni() {
    return vnis.lastVni();
  }

  /** Newest revision that changed the DPU's policy; 0 if there is none. Costs O(its ports). */
  public long desiredRevision(DpuName dpu) {
    return policies.of(dpu, this);
  }

  /** Newest revision that a DPU must have applied to have a network's MTU as it is now. */
  public long mtuRevision(NetworkName network, DpuName dpu) {
    return policies.ofMtu(network, dpu);
  }

  /** The change that a request has made, while it is among the newest 10 000. */
  public Optional<RememberedRequest> remembered(String requestId) {
    return requests.find(requestId);
  }

  /** Authorities, certificates and tokens. */
  public Identities identities() {
    return identities;
  }

  /** The same without indexes, for a snapshot. */
  public ImageState state() {
    return new ImageState(
        revision,
        tenants().values(),
        networks().values(),
        ports().values(),
        dpus().values(),
        operators().values(),
        securityGroups().values(),
        quarantines().values(),
        peerings().values(),
        restingVnis().values(),
        lastVni(),
        vnis.carriers(),
        policies.all(this),
        requests.oldestFirst(),
        identities.state());
  }

  private PSortedMap<PortName, Port> portsBetween(NetworkName first, NetworkName last) {
    return resources
        .ports()
        .byName()
        .subMap(new PortName(first, FIRST_ID), true, new PortName(last, LAST_ID), true);
  }

  private static Identities with(Identities identities, Entry entry, Event event) {
    if (event instanceof IdentityChanged changed) {
      return identities.with(entry.time(), changed.event());
    }
    return event instanceof DpuDeleted deleted
        ? identities.withoutTokensOf(IdentityName.of(deleted.name()))
        : identities;
  }
}
