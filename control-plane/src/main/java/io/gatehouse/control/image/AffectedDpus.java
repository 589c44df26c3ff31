package io.gatehouse.control.image;

import io.gatehouse.control.image.Event.DpuDeleted;
import io.gatehouse.control.image.Event.DpuPut;
import io.gatehouse.control.image.Event.NetworkDeleted;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Event.PortDeleted;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.control.image.Event.TenantPut;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.Port;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which DPUs an entry concerns: a superset of those whose policy it changes, and none of the rest
 * of the fleet. A change of display names and times concerns no DPU.
 */
public final class AffectedDpus {
  private final Image before;
  private final Image after;
  private final Set<DpuName> affected = new TreeSet<>();

  private AffectedDpus(Image before, Image after) {
    this.before = before;
    this.after = after;
  }

  /**
   * The DPUs concerned, in name order. A removed DPU is among them.
   *
   * @param before the image without the entry
   * @param after the image with it
   */
  public static Set<DpuName> of(Image before, Image after, Entry entry) {
    AffectedDpus collected = new AffectedDpus(before, after);
    entry.events().forEach(collected::add);
    return Collections.unmodifiableSet(collected.affected);
  }

  private void add(Event event) {
    if (event instanceof TenantPut put) {
      addTenant(put.tenant().name());
    } else if (event instanceof NetworkPut put) {
      addNetwork(put.network().name());
    } else if (event instanceof NetworkDeleted deleted) {
      addNetwork(deleted.name());
    } else if (event instanceof PortPut put) {
      addPort(put.port().name());
    } else if (event instanceof PortDeleted deleted) {
      addPort(deleted.name());
    } else if (event instanceof DpuPut put) {
      addDpu(put.dpu().name());
    } else if (event instanceof DpuDeleted deleted) {
      addDpu(deleted.name());
    }
  }

  private void addTenant(TenantName name) {
    if (differ(image -> image.tenant(name).map(Tenant::suspended))) {
      after.networksOf(name).keySet().forEach(this::addDpusOf);
    }
  }

  private void addNetwork(NetworkName name) {
    if (differ(image -> image.network(name).map(AffectedDpus::carried))) {
      addDpusOf(name);
    }
  }

  private void addPort(PortName name) {
    if (differ(image -> image.port(name).map(AffectedDpus::carried))) {
      addDpusOf(name.network());
    }
  }

  private void addDpu(DpuName name) {
    if (!differ(image -> image.dpu(name).map(Dpu::vtepAddress))) {
      return;
    }
    affected.add(name);
    after.portsOf(name).keySet().stream()
        .map(PortName::network)
        .distinct()
        .forEach(this::addDpusOf);
  }

  private void addDpusOf(NetworkName network) {
    affected.addAll(before.dpusOf(network));
    affected.addAll(after.dpusOf(network));
  }

  private <T> boolean differ(Function<Image, Optional<T>> part) {
    return !part.apply(before).equals(part.apply(after));
  }

  /** The network without what no DPU is told. */
  private static Network carried(Network network) {
    return new Network(
        network.name(),
        "",
        network.vni(),
        network.cidrs(),
        0,
        network.effectiveMtuBytes(),
        Instant.EPOCH,
        Instant.EPOCH);
  }

  /** The port without what no DPU is told. */
  private static Port carried(Port port) {
    return new Port(
        port.name(),
        "",
        port.dpu(),
        port.function(),
        port.mac(),
        port.addresses(),
        port.enabled(),
        port.uid(),
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
