package io.gatehouse.packaging;

import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.packaging.packet.PacketSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Two DPUs whose switches run what the agent's planner makes of a policy, written by Open vSwitch's
 * own tools: the pipeline alone, without agents and control plane. The hosts one, two and three are
 * of one network, three on the second DPU; other is another tenant's, with the addresses of two;
 * guest is a third one's, on the second DPU alone.
 */
final class PlannedLab implements AutoCloseable {
  static final int ACME_VNI = 100;
  static final int GLOBEX_VNI = 200;

  /** Prefixes of the guest's network, which all hosts take to be on the link. */
  static final List<String> GUEST_PREFIXES = List.of("10.1.0.0/24", "fd00:0:0:2::/64");

  private static final List<String> PREFIXES = List.of("10.0.0.0/24", "fd00:0:0:1::/64");
  private static final int INITECH_VNI = 300;
  private static final int MTU_BYTES = 1_450;

  private static final String BRIDGE = "gh-int";
  private static final NetworkName ACME = new NetworkName(new TenantName("acme"), "train");
  private static final NetworkName GLOBEX = new NetworkName(new TenantName("globex"), "train");
  private static final NetworkName INITECH = new NetworkName(new TenantName("initech"), "train");

  private static final Map<String, Place> HOSTS =
      Map.of(
          "one", new Place(ACME, 1, 0, 1),
          "two", new Place(ACME, 1, 1, 2),
          "other", new Place(GLOBEX, 1, 2, 2),
          "three", new Place(ACME, 2, 0, 3),
          "guest", new Place(INITECH, 2, 1, 5));

  private final Lab lab;
  private final Map<String, Terms> terms = new HashMap<>();
  private boolean peered;

  /** Where a host is; its number is in its addresses. */
  private record Place(NetworkName network, int dpu, int function, int number) {
    String device() {
      return "pf0vf" + function;
    }

    List<String> prefixes() {
      return network.equals(INITECH) ? GUEST_PREFIXES : PREFIXES;
    }

    List<String> addresses() {
      return prefixes().stream()
          .map(Cidr::parse)
          .map(prefix -> prefix.at(number) + "/" + prefix.prefixLength())
          .toList();
    }

    TenantHost host(String name) {
      return new TenantHost(name, dpu, device(), Fleet.mac(number), addresses());
    }
  }

  /** What is said of a port besides its addresses. */
  record Terms(PortSecurity security, RateLimits limits, Optional<Quarantine> quarantine) {
    static final Terms NONE = new Terms(PortSecurity.NONE, RateLimits.NONE, Optional.empty());

    static Terms of(RateLimits.Rate egress, RateLimits.Rate ingress) {
      return new Terms(PortSecurity.NONE, new RateLimits(egress, ingress, 0, 0), Optional.empty());
    }
  }

  private PlannedLab(Lab lab) {
    this.lab = lab;
  }

  static PlannedLab start() {
    PlannedLab planned = new PlannedLab(Lab.networkOnly(2));
    HOSTS.forEach((name, place) -> planned.lab.addHost(place.host(name)));
    HOSTS.forEach(
        (name, place) -> {
          List<String> others = place.network().equals(INITECH) ? PREFIXES : GUEST_PREFIXES;
          others.forEach(
              prefix -> planned.lab.exec(name, "ip", "route", "replace", prefix, "dev", "eth0"));
        });
    for (int dpu = 1; dpu <= 2; dpu++) {
      planned.makeBridge(dpu);
    }
    planned.apply(Map.of());
    return planned;
  }

  Lab lab() {
    return lab;
  }

  PacketSocket tap(String host) {
    return PacketSocket.open(lab.namespace(host));
  }

  /** Puts these terms in force, and none for the hosts that are not named. */
  void apply(Map<String, Terms> wanted) {
    peered = false;
    put(wanted);
  }

  /** As without any terms, and the networks of one and of guest are peers. */
  void applyPeering() {
    peered = true;
    put(Map.of());
  }

  private void put(Map<String, Terms> wanted) {
    terms.clear();
    terms.putAll(wanted);
    for (int dpu = 1; dpu <= 2; dpu++) {
      write(dpu, plan(dpu));
    }
  }

  /** Packets that have met flows whose text has a part of this form, by a DPU's switch. */
  long packets(int dpu, String form) {
    Pattern part = Pattern.compile(form);
    lab.run("appctl", String.valueOf(dpu), "revalidator/purge");
    return lab.run("ofctl", String.valueOf(dpu), "--no-names", "dump-flows", BRIDGE)
        .lines()
        .filter(line -> part.matcher(line).find())
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*n_packets=(\\d+),.*", "$1")))
        .sum();
  }

  /** What the meters of a DPU have dropped, together. */
  long dropped(int dpu) {
    return lab.run("ofctl", String.valueOf(dpu), "meter-stats", BRIDGE)
        .lines()
        .filter(line -> line.contains("0: packet_count:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*packet_count:(\\d+).*", "$1")))
        .sum();
  }

  private void makeBridge(int dpu) {
    List<String> command = new ArrayList<>(List.of("vsctl", String.valueOf(dpu), "--timeout=30"));
    command.addAll(List.of("--", "add-br", BRIDGE, "--", "set", "bridge", BRIDGE));
    command.addAll(List.of("datapath_type=netdev", "fail_mode=secure"));
    facts(dpu)
        .openFlowPorts()
        .forEach(
            (device, number) -> {
              command.addAll(List.of("--", "add-port", BRIDGE, device, "--", "set", "interface"));
              command.addAll(List.of(device, "ofport_request=" + number));
            });
    command.addAll(List.of("--", "set", "interface", Site.TUNNEL_PORT, "type=vxlan"));
    command.addAll(List.of("options:remote_ip=flow", "options:key=flow"));
    lab.run(command.toArray(String[]::new));
  }

  private static Facts facts(int dpu) {
    Map<String, String> devices = new HashMap<>();
    Map<String, Integer> ports = new HashMap<>(Map.of(Site.TUNNEL_PORT, 1));
    HOSTS.values().stream()
        .filter(place -> place.dpu() == dpu)
        .forEach(
            place -> {
              devices.put(place.device(), place.device());
              ports.put(place.device(), 2 + place.function());
            });
    return Facts.of(devices, ports);
  }

  private Plan plan(int dpu) {
    List<PolicyResource> resources = new ArrayList<>();
    resources.add(network(ACME, ACME_VNI, PREFIXES));
    resources.add(network(GLOBEX, GLOBEX_VNI, PREFIXES));
    if (dpu == place("guest").dpu()) {
      resources.add(network(INITECH, INITECH_VNI, GUEST_PREFIXES));
    }
    peerings(dpu, resources);
    for (int vtep = 1; vtep <= 2; vtep++) {
      resources.add(new VtepPolicy(new DpuName("dpu" + vtep), vtep(vtep)));
    }
    HOSTS.forEach(
        (name, place) -> {
          if (place.dpu() == dpu) {
            resources.add(local(name));
          } else if (peered || !place.network().equals(INITECH)) {
            resources.add(remote(name));
          }
        });
    Site site =
        new Site(new DpuName("dpu" + dpu), vtep(dpu), Site.Datapath.NETDEV, Optional.empty());
    Plan plan = PolicyPlanner.plan(Policy.of(1, resources), facts(dpu), site, FlowPlan.EMPTY);
    if (!plan.problems().isEmpty()) {
      throw new AssertionError(plan.problems());
    }
    return plan;
  }

  private static IpAddress vtep(int dpu) {
    return IpAddress.parse("172.16." + dpu + ".1");
  }

  /** Each DPU has the half of a network that has a port there. */
  private void peerings(int dpu, List<PolicyResource> resources) {
    if (!peered) {
      return;
    }
    resources.add(
        new PeeringPolicy(
            new PeeringName(ACME, "guest"),
            INITECH,
            new Vni(INITECH_VNI),
            cidrs(GUEST_PREFIXES),
            MTU_BYTES));
    if (dpu == place("guest").dpu()) {
      resources.add(
          new PeeringPolicy(
              new PeeringName(INITECH, "host"),
              ACME,
              new Vni(ACME_VNI),
              cidrs(PREFIXES),
              MTU_BYTES));
    }
  }

  private static NetworkPolicy network(NetworkName name, int vni, List<String> prefixes) {
    return new NetworkPolicy(
        name, new Vni(vni), cidrs(prefixes), MTU_BYTES, HostConfiguration.DEFAULT);
  }

  private static List<Cidr> cidrs(List<String> prefixes) {
    return prefixes.stream().map(Cidr::parse).toList();
  }

  private LocalPortPolicy local(String name) {
    Place place = place(name);
    Terms said = terms.getOrDefault(name, Terms.NONE);
    return new LocalPortPolicy(
        new PortName(place.network(), name),
        "uid",
        place.device(),
        MacAddress.parse(Fleet.mac(place.number())),
        addresses(place),
        true,
        said.security(),
        said.limits(),
        said.quarantine());
  }

  private RemotePortPolicy remote(String name) {
    Place place = place(name);
    return new RemotePortPolicy(
        new PortName(place.network(), name),
        "uid",
        MacAddress.parse(Fleet.mac(place.number())),
        addresses(place),
        new DpuName("dpu" + place.dpu()),
        terms.getOrDefault(name, Terms.NONE).security());
  }

  private static Place place(String name) {
    return Optional.ofNullable(HOSTS.get(name)).orElseThrow();
  }

  private static List<IpAddress> addresses(Place place) {
    return cidrs(place.prefixes()).stream().map(prefix -> prefix.at(place.number())).toList();
  }

  private void write(int dpu, Plan plan) {
    String number = String.valueOf(dpu);
    lab.run("ofctl", number, "del-flows", BRIDGE);
    lab.run("ofctl", number, "del-meters", BRIDGE);
    List<String> flows = new ArrayList<>();
    for (Fragment fragment : plan.flows().fragments().values()) {
      fragment
          .meters()
          .forEach(meter -> lab.run("ofctl", number, "add-meter", BRIDGE, meter.toString()));
      fragment.flows().forEach(flow -> flows.add(flow.toString()));
    }
    Path file = lab.directory().resolve("planned-" + dpu + ".flows");
    try {
      Files.write(file, flows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lab.run("ofctl", number, "--bundle", "add-flows", BRIDGE, file.toString());
  }

  @Override
  public void close() {
    lab.close();
  }
}
