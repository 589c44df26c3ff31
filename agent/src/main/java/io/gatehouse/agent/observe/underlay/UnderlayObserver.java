package io.gatehouse.agent.observe.underlay;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.lldp.LldpClient;
import io.gatehouse.agent.device.lldp.LldpNeighbour;
import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.device.netlink.NetlinkClient;
import io.gatehouse.agent.device.ovsdb.OvsdbSnapshot;
import io.gatehouse.agent.observe.VtepMtu;
import io.gatehouse.agent.state.underlay.Neighbours;
import io.gatehouse.agent.state.underlay.Neighbours.Neighbour;
import io.gatehouse.agent.state.underlay.Representors;
import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.agent.state.underlay.UnderlayStack.Layer;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what carries the tunnels. For one thread, which may have to wait for lldpd; lldpd is asked
 * once a minute at most.
 */
public final class UnderlayObserver {
  private static final Logger log = LoggerFactory.getLogger(UnderlayObserver.class);
  private static final Duration LLDP_PACE = Duration.ofMinutes(1);
  private static final int MAX_NEIGHBOURS = 16;

  private final NetlinkClient netlink;
  private final Supplier<Optional<OvsdbSnapshot>> database;
  private final LldpClient lldp;
  private final IpAddress vtep;
  private final Tenants tenants;
  private final LongSupplier nanoTime;
  private Optional<Long> askedNanos = Optional.empty();
  private Neighbours heard = Neighbours.ABSENT;

  /** What is known of the tenants' devices; asked on the observer's thread. */
  public interface Tenants {
    /** Devices that are functions of hosts. */
    Set<String> functions();

    /** Sizes of those that ports use. */
    Representors representors();
  }

  /**
   * An observer.
   *
   * @param database the newest copy of the switch's database, if there is one
   * @param nanoTime monotonic
   */
  public UnderlayObserver(
      NetlinkClient netlink,
      Supplier<Optional<OvsdbSnapshot>> database,
      LldpClient lldp,
      IpAddress vtep,
      Tenants tenants,
      LongSupplier nanoTime) {
    this.netlink = netlink;
    this.database = database;
    this.lldp = lldp;
    this.vtep = vtep;
    this.tenants = tenants;
    this.nanoTime = nanoTime;
  }

  /** What is there now; empty: not known. */
  public Optional<UnderlayStack> observe() {
    Optional<OvsdbSnapshot> snapshot = database.get();
    if (snapshot.isEmpty()) {
      return Optional.empty();
    }
    try {
      List<Link> links = netlink.links();
      Optional<Link> top = VtepMtu.device(links, netlink.addresses(), vtep);
      List<SwitchBridge> bridges = SwitchBridge.read(snapshot.get());
      List<Layer> layers =
          top.map(link -> LayerWalk.below(link, links, bridges, tenants.functions()))
              .orElse(List.of());
      return Optional.of(
          new UnderlayStack(
              top.map(Link::name).orElse(""),
              top.map(Link::mtuBytes).orElse(0),
              layers,
              at(LayerWalk.uplinks(layers)),
              tenants.representors()));
    } catch (DeviceException e) {
      log.atDebug().addKeyValue("reason", e.getMessage()).log("the underlay cannot be read");
      return Optional.empty();
    }
  }

  /** The neighbours at the uplinks; lldpd may hear others at the tenants' devices. */
  private Neighbours at(Set<String> uplinks) {
    long now = nanoTime.getAsLong();
    if (askedNanos.isEmpty() || now - askedNanos.get() >= LLDP_PACE.toNanos()) {
      askedNanos = Optional.of(now);
      heard = ask();
    }
    return new Neighbours(
        heard.knowledge(),
        heard.problem(),
        heard.known().stream()
            .filter(neighbour -> uplinks.contains(neighbour.device()))
            .sorted(
                Comparator.comparing(Neighbour::device)
                    .thenComparing(Neighbour::switchName)
                    .thenComparing(Neighbour::port))
            .limit(MAX_NEIGHBOURS)
            .toList());
  }

  private Neighbours ask() {
    try {
      Optional<List<LldpNeighbour>> answer = lldp.neighbours();
      return answer
          .map(known -> Neighbours.of(known.stream().map(UnderlayObserver::neighbour).toList()))
          .orElse(Neighbours.ABSENT);
    } catch (DeviceException e) {
      log.atWarn().addKeyValue("reason", e.getMessage()).log("the switches cannot be asked for");
      return Neighbours.failed(String.valueOf(e.getMessage()));
    }
  }

  private static Neighbour neighbour(LldpNeighbour heard) {
    return new Neighbour(heard.device(), heard.switchName(), heard.port(), heard.maxFrameBytes());
  }
}
