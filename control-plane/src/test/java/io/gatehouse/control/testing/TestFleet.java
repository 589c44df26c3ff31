package io.gatehouse.control.testing;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.Network;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes images without a sequencer. A state of the fleet is a list of words: {@code
 * acme/blue/web@d1} is a port, {@code acme/blue/web@d1-} a disabled one, {@code d7} a DPU, {@code
 * !acme} a suspended tenant. What a port needs is there too.
 */
public final class TestFleet {
  private static final Instant TIME = Instant.parse("2026-11-01T00:00:00Z");

  private final Map<String, Integer> numbers = new HashMap<>();
  private Image image = Image.EMPTY;

  public Image image() {
    return image;
  }

  /** Changes the image, by one entry, so that it holds what the words say and nothing else. */
  public Committed become(String... words) {
    Set<TenantName> suspended = new TreeSet<>();
    Map<PortName, Port> ports = new TreeMap<>();
    Map<DpuName, Dpu> dpus = new TreeMap<>();
    for (String word : words) {
      if (word.startsWith("!")) {
        suspended.add(new TenantName(word.substring(1)));
        continue;
      }
      String dpu = word.substring(word.indexOf('@') + 1).replaceAll("-$", "");
      dpus.computeIfAbsent(new DpuName(dpu), this::dpu);
      if (word.contains("@")) {
        Port port = port(word.substring(0, word.indexOf('@')), dpu, !word.endsWith("-"));
        ports.put(port.name(), port);
      }
    }
    return commit(events(dpus, ports, suspended));
  }

  /** Appends one entry. */
  public Committed commit(List<Event> events) {
    Entry entry =
        new Entry(image.revision() + 1, TIME, "operators/test", "", RequestHash.NONE, "x", events);
    Image before = image;
    image = image.apply(entry);
    return new Committed(entry, before, image);
  }

  public Dpu dpu(DpuName name) {
    IpAddress vtep = IpAddress.ofV4(0xac1f_0000L + number("dpu " + name));
    return new Dpu(name, "", vtep, 1_500, FailureDomain.UNKNOWN, TIME, TIME);
  }

  /** A port by its short name, such as {@code acme/blue/web}. */
  public Port port(String name, String dpu, boolean enabled) {
    String[] ids = name.split("/", -1);
    NetworkName network = new NetworkName(new TenantName(ids[0]), ids[1]);
    int number = number("port " + name);
    return new Port(
        new PortName(network, ids[2]),
        "",
        new DpuName(dpu),
        "pf0vf" + number,
        new MacAddress(0x02_00_00_00_00_00L + number),
        List.of(IpAddress.ofV4(0x0a00_0000L + number)),
        enabled,
        PortSecurity.NONE,
        RateLimits.NONE,
        "uid-" + number,
        TIME,
        TIME);
  }

  public Network network(NetworkName name) {
    Vni vni = new Vni(1_000 + number("network " + name));
    return new Network(
        name,
        "",
        vni,
        List.of(Cidr.parse("10.0.0.0/8")),
        0,
        1_450,
        HostConfiguration.DEFAULT,
        TIME,
        TIME);
  }

  private List<Event> events(
      Map<DpuName, Dpu> dpus, Map<PortName, Port> ports, Set<TenantName> suspended) {
    Set<NetworkName> networks = new TreeSet<>();
    ports.keySet().forEach(port -> networks.add(port.network()));
    Set<TenantName> tenants = new TreeSet<>(suspended);
    networks.forEach(network -> tenants.add(network.tenant()));
    List<Event> events = new ArrayList<>();
    image.ports().keySet().stream()
        .filter(name -> !ports.containsKey(name))
        .forEach(name -> events.add(new Event.PortDeleted(name)));
    image.networks().values().stream()
        .filter(network -> !networks.contains(network.name()))
        .forEach(network -> events.add(new Event.NetworkDeleted(network.name(), network.vni())));
    image.tenants().keySet().stream()
        .filter(name -> !tenants.contains(name))
        .forEach(name -> events.add(new Event.TenantDeleted(name)));
    image.dpus().keySet().stream()
        .filter(name -> !dpus.containsKey(name))
        .forEach(name -> events.add(new Event.DpuDeleted(name)));
    dpus.values().stream()
        .filter(dpu -> !image.dpus().containsKey(dpu.name()))
        .forEach(dpu -> events.add(new Event.DpuPut(dpu)));
    tenants.forEach(
        name ->
            events.add(
                new Event.TenantPut(
                    new Tenant(
                        name, "", TenantQuota.DEFAULT, suspended.contains(name), TIME, TIME))));
    networks.stream()
        .filter(name -> !image.networks().containsKey(name))
        .forEach(name -> events.add(new Event.NetworkPut(network(name))));
    ports.values().stream()
        .filter(port -> !port.equals(image.ports().get(port.name())))
        .forEach(port -> events.add(new Event.PortPut(port)));
    if (events.isEmpty()) {
      image.dpus().values().stream().limit(1).forEach(dpu -> events.add(new Event.DpuPut(dpu)));
    }
    return events;
  }

  private int number(String thing) {
    return numbers.computeIfAbsent(thing, t -> numbers.size() + 1);
  }
}
