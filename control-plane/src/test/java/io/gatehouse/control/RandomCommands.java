package io.gatehouse.control;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.DpuCommand.CreateDpu;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.NetworkCommand.CreateNetwork;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.NetworkCommand.LimitPath;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.OperatorCommand.CreateOperator;
import io.gatehouse.control.decide.OperatorCommand.DeleteOperator;
import io.gatehouse.control.decide.OperatorCommand.OperatorPatch;
import io.gatehouse.control.decide.OperatorCommand.UpdateOperator;
import io.gatehouse.control.decide.PortCommand.CreatePort;
import io.gatehouse.control.decide.PortCommand.DeletePort;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortDraft;
import io.gatehouse.control.decide.PortCommand.PortPatch;
import io.gatehouse.control.decide.PortCommand.UpdatePort;
import io.gatehouse.control.decide.ReleaseVni;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.control.decide.peering.PeeringCommand;
import io.gatehouse.control.decide.peering.PeeringCommand.CreatePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.DeletePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.RenamePeering;
import io.gatehouse.control.decide.security.QuarantineCommand.ReleaseQuarantine;
import io.gatehouse.control.decide.security.QuarantineCommand.SetQuarantine;
import io.gatehouse.control.decide.security.SecurityCommand;
import io.gatehouse.control.decide.security.SecurityGroupCommand.CreateGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.DeleteGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.GroupPatch;
import io.gatehouse.control.decide.security.SecurityGroupCommand.UpdateGroup;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Random commands over a few names, so that they meet: many are refused. The same seed gives the
 * same commands.
 */
public final class RandomCommands {
  private static final int KINDS = 25;
  private static final List<OperatorRole> ROLES = List.of(OperatorRole.values());

  private final SplittableRandom random;
  private int ticks;

  public RandomCommands(long seed) {
    this.random = new SplittableRandom(seed);
  }

  public Command next() {
    return switch (random.nextInt(KINDS)) {
      case 0 -> new CreateTenant(request(), tenant(), "", quota(), random.nextBoolean());
      case 1 -> updateTenant();
      case 2 -> new DeleteTenant(request(), tenant(), "");
      case 3, 4 -> createNetwork();
      case 5 -> updateNetwork();
      case 6 -> new DeleteNetwork(request(), network(), "");
      case 7, 8, 9 -> createPort();
      case 10 -> updatePort();
      case 11 -> new DeletePort(request(), port(), "");
      case 12 -> createDpu();
      case 13 -> updateDpu();
      case 17 -> new Command.OfSecurity(request(), quarantine());
      case 18, 19, 20 -> new Command.OfPeering(request(), peering());
      case 14, 15, 16 -> new Command.OfSecurity(request(), security());
      case 21, 22, 23 -> new LimitPath(request(), network(), narrowPaths());
      default -> rare();
    };
  }

  private SecurityCommand security() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> new CreateGroup(group(), "", rules());
      case 2, 3 -> new UpdateGroup(group(), new GroupPatch(null, rules()), "");
      case 4 -> new UpdateGroup(group(), new GroupPatch("g" + ticks, null), "");
      default -> new DeleteGroup(group(), "");
    };
  }

  private SecurityCommand quarantine() {
    QuarantineTarget target =
        switch (random.nextInt(4)) {
          case 0 -> new QuarantineTarget.OfTenant(tenant());
          case 1 -> new QuarantineTarget.OfDpu(dpu());
          default -> new QuarantineTarget.OfPort(port());
        };
    Optional<TenantName> caller = target.tenant().filter(tenant -> random.nextBoolean());
    List<Cidr> allowed = random.nextBoolean() ? List.of(v4()) : List.of();
    return random.nextInt(3) == 0
        ? new ReleaseQuarantine(target, caller)
        : new SetQuarantine(target, new Quarantine("q" + ticks, allowed), caller);
  }

  private PeeringCommand peering() {
    PeeringName name = new PeeringName(network(), "p" + random.nextInt(4));
    return switch (random.nextInt(6)) {
      case 0 -> new DeletePeering(name, "");
      case 1 -> new RenamePeering(name, "p" + ticks, "");
      default -> new CreatePeering(name, "", network());
    };
  }

  private SecurityGroupName group() {
    int id = random.nextInt(4);
    return new SecurityGroupName(tenant(), id == 0 ? SecurityGroup.DEFAULT_ID : "g" + id);
  }

  private List<SecurityRule> rules() {
    List<SecurityRule> rules = new ArrayList<>();
    if (random.nextBoolean()) {
      rules.add(
          new SecurityRule(
              Direction.EGRESS, new Traffic.Protocol(random.nextInt(9)), new Remote.Anywhere()));
    }
    if (random.nextInt(3) == 0) {
      rules.add(new SecurityRule(Direction.INGRESS, new Traffic.Any(), new Remote.Group(group())));
    }
    return rules;
  }

  private List<SecurityGroupName> groups(TenantName tenant) {
    return random
        .ints(0, 4)
        .limit(random.nextInt(3))
        .distinct()
        .mapToObj(id -> new SecurityGroupName(tenant, id == 0 ? "default" : "g" + id))
        .toList();
  }

  private List<AddressPair> pairs() {
    return random.nextInt(3) == 0
        ? List.of(new AddressPair(new Cidr(v4().at(random.nextInt(8)), 32), Optional.empty()))
        : List.of();
  }

  private Command rare() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> new DeleteDpu(request(), dpu(), "");
      case 2, 3 -> new ReleaseVni(request(), vni(), acked());
      case 4 -> new CreateOperator(request(), operator(), "", role());
      default ->
          random.nextBoolean()
              ? new DeleteOperator(request(), operator(), "")
              : new UpdateOperator(request(), operator(), new OperatorPatch("x", role()), "");
    };
  }

  private List<NarrowPath> narrowPaths() {
    return random
        .ints(100, 9_000)
        .limit(random.nextInt(12))
        .mapToObj(bytes -> new NarrowPath(dpu(), dpu(), bytes))
        .toList();
  }

  private OperatorName operator() {
    String id = "o" + random.nextInt(3);
    return random.nextBoolean() ? OperatorName.ofFleet(id) : OperatorName.ofTenant(tenant(), id);
  }

  private OperatorRole role() {
    return ROLES.get(random.nextInt(ROLES.size()));
  }

  private Command updateTenant() {
    TenantPatch patch =
        new TenantPatch(
            "t" + ticks, random.nextInt(4), random.nextInt(12), null, random.nextBoolean());
    return new UpdateTenant(request(), tenant(), patch, "");
  }

  private Command createNetwork() {
    Optional<Vni> vni = random.nextInt(3) == 0 ? Optional.of(vni()) : Optional.empty();
    int mtuBytes = random.nextInt(4) == 0 ? 1_400 : 0;
    return new CreateNetwork(
        request(), network(), "", vni, cidrs(), mtuBytes, HostConfiguration.DEFAULT);
  }

  private Command updateNetwork() {
    int mtuBytes = random.nextInt(3) == 0 ? 1_300 + random.nextInt(8_000) : 0;
    NetworkPatch patch =
        random.nextBoolean()
            ? new NetworkPatch("n" + ticks, null, null, mtuBytes, null)
            : new NetworkPatch(null, List.of(v4()), null, null, null);
    return new UpdateNetwork(request(), network(), patch, "");
  }

  private Command createPort() {
    Optional<MacAddress> mac =
        random.nextInt(3) == 0
            ? Optional.of(new MacAddress(0x0200_0000_0000L + random.nextInt(4)))
            : Optional.empty();
    List<IpAddress> addresses =
        random.nextInt(3) == 0 ? List.of(v4().at(random.nextInt(8))) : List.of();
    PortName port = port();
    PortSecurity security = new PortSecurity(groups(port.network().tenant()), pairs());
    boolean enabled = random.nextBoolean();
    PortDraft draft =
        new PortDraft("", dpu(), function(), mac, addresses, enabled, security, RateLimits.NONE);
    UUID uid = new UUID(random.nextLong(), random.nextLong());
    return new CreatePort(request(), port, draft, uid, known());
  }

  private Command updatePort() {
    PortName port = port();
    PortPatch patch =
        switch (random.nextInt(3)) {
          case 0 -> new PortPatch(null, dpu(), function(), null, null, null, null, null, null);
          case 1 ->
              new PortPatch(
                  "p" + ticks, null, null, null, null, random.nextBoolean(), null, null, null);
          default -> bounds(port.network().tenant());
        };
    return new UpdatePort(request(), port, patch, "", known());
  }

  private PortPatch bounds(TenantName tenant) {
    RateLimits limits = new RateLimits(RateLimits.Rate.NONE, RateLimits.Rate.NONE, 0, ticks);
    return new PortPatch(null, null, null, null, null, null, groups(tenant), pairs(), limits);
  }

  private Command createDpu() {
    return new CreateDpu(request(), dpu(), "", vtep(), underlayMtu(), FailureDomain.UNKNOWN);
  }

  private Command updateDpu() {
    DpuPatch patch =
        random.nextBoolean()
            ? new DpuPatch(null, null, underlayMtu(), null)
            : new DpuPatch("d" + ticks, vtep(), null, null);
    return new UpdateDpu(request(), dpu(), patch, "");
  }

  private Request request() {
    ticks++;
    String id = random.nextInt(4) == 0 ? "request-" + ticks : "";
    RequestHash hash =
        id.isEmpty() ? RequestHash.NONE : new RequestHash(String.format("%064x", ticks));
    return new Request("operator/random", id, hash, World.START.plusMillis(ticks));
  }

  private Map<DpuName, Long> acked() {
    Map<DpuName, Long> acked = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      acked.put(new DpuName("d" + i), (long) random.nextInt(2 * ticks));
    }
    return acked;
  }

  private KnownFunctions known() {
    return random.nextBoolean()
        ? KnownFunctions.NONE
        : KnownFunctions.of(dpu(), List.of("pf0vf0", "pf0vf1", "pf0vf2"));
  }

  private TenantQuota quota() {
    return new TenantQuota(1 + random.nextInt(3), 1 + random.nextInt(10), 100);
  }

  private TenantName tenant() {
    return new TenantName("t" + random.nextInt(3));
  }

  private NetworkName network() {
    return new NetworkName(tenant(), "n" + random.nextInt(3));
  }

  private PortName port() {
    return new PortName(network(), "p" + random.nextInt(4));
  }

  private DpuName dpu() {
    return new DpuName("d" + random.nextInt(4));
  }

  private String function() {
    return "pf0vf" + random.nextInt(4);
  }

  private Vni vni() {
    return new Vni(1 + random.nextInt(6));
  }

  private List<Cidr> cidrs() {
    return random.nextInt(4) == 0 ? List.of(v4(), Cidr.parse("fd00::/126")) : List.of(v4());
  }

  private Cidr v4() {
    return Cidr.parse("10.0." + random.nextInt(3) + ".0/29");
  }

  private IpAddress vtep() {
    int host = 1 + random.nextInt(6);
    return IpAddress.parse(random.nextInt(5) == 0 ? "2001:db8::" + host : "192.0.2." + host);
  }

  private int underlayMtu() {
    return List.of(1_300, 1_500, 9_000).get(random.nextInt(3));
  }
}
