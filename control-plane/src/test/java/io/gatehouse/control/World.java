package io.gatehouse.control;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Decider;
import io.gatehouse.control.decide.DpuCommand.CreateDpu;
import io.gatehouse.control.decide.NetworkCommand.CreateNetwork;
import io.gatehouse.control.decide.NetworkCommand.SettleMtu;
import io.gatehouse.control.decide.PortCommand.CreatePort;
import io.gatehouse.control.decide.PortCommand.DeletePort;
import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.decide.PortCommand.PortDraft;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.peering.PeeringCommand;
import io.gatehouse.control.decide.peering.PeeringCommand.CreatePeering;
import io.gatehouse.control.decide.security.SecurityCommand;
import io.gatehouse.control.decide.security.SecurityGroupCommand.CreateGroup;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.SecurityRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An image that grows by commands, with a clock and uids that tick by one. */
public final class World {
  public static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

  private final List<Entry> entries = new ArrayList<>();
  private Image image = Image.EMPTY;
  private int ticks;

  public Image image() {
    return image;
  }

  public List<Entry> entries() {
    return entries;
  }

  /** The next request; without a request id. */
  public Request request() {
    return Request.internal("operators/test", START.plusSeconds(ticks++));
  }

  /** A request with an id; the same content has the same hash. */
  public Request request(String id, String content) {
    String hash = String.format("%064x", content.hashCode() & 0xffff_ffffL);
    return new Request("operators/test", id, new RequestHash(hash), START.plusSeconds(ticks++));
  }

  /** Decides and applies. */
  public Entry run(Command command) {
    Request request = command.request();
    Entry entry =
        new Entry(
            image.revision() + 1,
            request.time(),
            request.actor(),
            request.requestId(),
            request.hash(),
            command.subject(),
            Decider.decide(image, command));
    image = image.apply(entry);
    entries.add(entry);
    return entry;
  }

  /** Decides and applies that many random commands; what is refused changes nothing. */
  public World grow(long seed, int commands) {
    RandomCommands random = new RandomCommands(seed);
    for (int i = 0; i < commands; i++) {
      tryRun(random.next());
    }
    return this;
  }

  private boolean tryRun(Command command) {
    try {
      run(command);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  /** Every DPU has confirmed everything and has the underlay that it is said to have. */
  public Map<DpuName, MtuChange.Facts> allConfirmed() {
    Map<DpuName, MtuChange.Facts> facts = new HashMap<>();
    image
        .dpus()
        .values()
        .forEach(
            dpu ->
                facts.put(
                    dpu.name(), new MtuChange.Facts(image.revision(), dpu.underlayMtuBytes())));
    return facts;
  }

  /** Ends a change of a network's MTU. */
  public World settle(String network) {
    run(new SettleMtu(request(), NetworkName.parse(network), allConfirmed()));
    return this;
  }

  /** Decides, and expects a refusal; the image stays as it is. */
  public RefusedException refusal(Command command) {
    return catchThrowableOfType(RefusedException.class, () -> Decider.decide(image, command));
  }

  public World tenant(String tenant) {
    run(createTenant(tenant, TenantQuota.DEFAULT));
    return this;
  }

  public World network(String name, String... cidrs) {
    run(createNetwork(name, 0, cidrs));
    return this;
  }

  public World dpu(String name, String vtep, int underlayMtuBytes) {
    run(createDpu(name, vtep, underlayMtuBytes));
    return this;
  }

  /** A port on the function of that number. */
  public World port(String name, String dpu, int function) {
    run(createPort(name, dpu, "pf0vf" + function));
    return this;
  }

  /** A security group, by its full name. */
  public World group(String name, SecurityRule... rules) {
    run(security(new CreateGroup(SecurityGroupName.parse(name), "", List.of(rules))));
    return this;
  }

  /** A port like the one that {@link #createPort} makes, with groups and pairs. */
  public CreatePort createPort(String name, String dpu, String function, PortSecurity security) {
    PortDraft plain = draft(dpu, function, Optional.empty());
    return create(
        name,
        new PortDraft(
            "",
            plain.dpu(),
            function,
            Optional.empty(),
            List.of(),
            true,
            security,
            RateLimits.NONE),
        KnownFunctions.NONE);
  }

  /** One network's consent, by full names. */
  public World peering(String name, String peer) {
    run(peering(new CreatePeering(PeeringName.parse(name), "", NetworkName.parse(peer))));
    return this;
  }

  public Command.OfPeering peering(PeeringCommand command) {
    return new Command.OfPeering(request(), command);
  }

  public Command.OfSecurity security(SecurityCommand command) {
    return new Command.OfSecurity(request(), command);
  }

  public World delete(String port) {
    run(new DeletePort(request(), PortName.parse(port), ""));
    return this;
  }

  public CreateTenant createTenant(String tenant, TenantQuota quota) {
    return new CreateTenant(request(), TenantName.parse(tenant), "", quota, false);
  }

  public CreateNetwork createNetwork(String name, int mtuBytes, String... cidrs) {
    return new CreateNetwork(
        request(),
        NetworkName.parse(name),
        "",
        Optional.empty(),
        cidrs(cidrs),
        mtuBytes,
        HostConfiguration.DEFAULT);
  }

  public CreateNetwork createNetwork(String name, Vni vni, String... cidrs) {
    return new CreateNetwork(
        request(),
        NetworkName.parse(name),
        "",
        Optional.of(vni),
        cidrs(cidrs),
        0,
        HostConfiguration.DEFAULT);
  }

  public CreateDpu createDpu(String name, String vtep, int underlayMtuBytes) {
    return new CreateDpu(
        request(),
        DpuName.parse(name),
        "",
        IpAddress.parse(vtep),
        underlayMtuBytes,
        FailureDomain.UNKNOWN);
  }

  public CreatePort createPort(String name, String dpu, String function, String... addresses) {
    return create(name, draft(dpu, function, Optional.empty(), addresses), KnownFunctions.NONE);
  }

  public CreatePort createPort(String name, String dpu, String function, KnownFunctions known) {
    return create(name, draft(dpu, function, Optional.empty()), known);
  }

  public CreatePort createPort(String name, String dpu, String function, MacAddress mac) {
    return create(name, draft(dpu, function, Optional.of(mac)), KnownFunctions.NONE);
  }

  private static PortDraft draft(
      String dpu, String function, Optional<MacAddress> mac, String... addresses) {
    return new PortDraft(
        "",
        DpuName.parse(dpu),
        function,
        mac,
        Arrays.stream(addresses).map(IpAddress::parse).toList(),
        true,
        PortSecurity.NONE,
        RateLimits.NONE);
  }

  private CreatePort create(String name, PortDraft draft, KnownFunctions known) {
    Request request = request();
    UUID uid = new UUID(0x4000L, 0x8000_0000_0000_0000L | ticks);
    return new CreatePort(request, PortName.parse(name), draft, uid, known);
  }

  private static List<Cidr> cidrs(String... cidrs) {
    return Arrays.stream(cidrs).map(Cidr::parse).toList();
  }
}
