package io.gatehouse.agent.observe.underlay;

import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.state.underlay.UnderlayStack.Kind;
import io.gatehouse.agent.state.underlay.UnderlayStack.Layer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Goes from a device down to the links that its packets leave by: through VLAN devices, bonds and
 * bridges of the kernel, and through bridges of Open vSwitch with their patches. Pure; each device
 * is visited once, so that a loop ends it.
 */
final class LayerWalk {
  /** More than any machine has on one way. */
  private static final int MAX_LAYERS = 16;

  private static final String BRIDGE = "bridge";
  private static final Set<String> BUNDLES = Set.of("bond", "team");
  private static final Set<String> ON_TOP = Set.of("vlan", "macvlan", "ipvlan");

  private final Map<Integer, Link> byIndex = new HashMap<>();
  private final Map<String, Link> byName = new HashMap<>();
  private final List<Link> links;
  private final List<SwitchBridge> bridges;
  private final Set<String> functions;
  private final Map<String, Layer> layers = new LinkedHashMap<>();
  private final Set<String> bridgesSeen = new HashSet<>();
  private final ArrayDeque<Step> open = new ArrayDeque<>();

  /** A device that is to be looked at. */
  private record Step(Link link, int tagCount) {}

  private LayerWalk(List<Link> links, List<SwitchBridge> bridges, Set<String> functions) {
    this.links = links;
    this.bridges = bridges;
    this.functions = functions;
    links.forEach(link -> byIndex.put(link.index(), link));
    links.forEach(link -> byName.put(link.name(), link));
  }

  /**
   * The layers below a device, the nearest first; the device itself, as the uplink, if nothing is.
   *
   * @param functions devices of tenants, which are no way out
   */
  static List<Layer> below(
      Link top, List<Link> links, List<SwitchBridge> bridges, Set<String> functions) {
    LayerWalk walk = new LayerWalk(links, bridges, functions);
    walk.open.add(new Step(top, 0));
    walk.run(top);
    return walk.layers.values().stream().limit(MAX_LAYERS).toList();
  }

  private void run(Link top) {
    Set<String> seen = new HashSet<>();
    while (!open.isEmpty() && layers.size() < MAX_LAYERS) {
      Step step = open.remove();
      if (!seen.add(step.link().name())) {
        continue;
      }
      boolean isUplink = !goDown(step);
      if (isUplink || !step.link().equals(top)) {
        add(step, isUplink ? Kind.UPLINK : kind(step.link()));
      }
    }
  }

  /** False if nothing is below. */
  private boolean goDown(Step step) {
    Link link = step.link();
    Optional<SwitchBridge> bridge =
        bridges.stream().filter(candidate -> holds(candidate, link.name())).findFirst();
    if (bridge.isPresent()) {
      int vlan = bridge.get().plug(link.name()).map(SwitchBridge.Plug::tag).orElse(0);
      cross(bridge.get(), vlan, step.tagCount());
      return true;
    }
    Link lower = ON_TOP.contains(driver(link)) ? byIndex.get(link.lowerIndex()) : null;
    if (lower != null) {
      open.add(new Step(lower, step.tagCount() + (driver(link).equals("vlan") ? 1 : 0)));
      return true;
    }
    if (!isBundle(link)) {
      return false;
    }
    List<Link> members =
        links.stream()
            .filter(member -> member.masterIndex() == link.index())
            .filter(member -> !functions.contains(member.name()))
            .toList();
    members.forEach(member -> open.add(new Step(member, step.tagCount())));
    return !members.isEmpty();
  }

  /** A bridge of Open vSwitch is entered by its local port and by what it made itself. */
  private static boolean holds(SwitchBridge bridge, String device) {
    return bridge.plug(device).filter(plug -> plug.type().equals("internal")).isPresent()
        || bridge.name().equals(device);
  }

  /** Out at every device of the bridge, and over its patches; with this VLAN, 0 for none. */
  private void cross(SwitchBridge bridge, int vlan, int tagCount) {
    if (!bridgesSeen.add(bridge.name())) {
      return;
    }
    Link local = byName.get(bridge.name());
    layers.putIfAbsent(
        bridge.name(),
        new Layer(bridge.name(), Kind.SWITCH, local == null ? 0 : local.mtuBytes(), tagCount));
    for (SwitchBridge.Plug plug : bridge.plugs()) {
      int left = plug.leaving(vlan);
      if (plug.isDevice() && !functions.contains(plug.device())) {
        leave(plug, tagCount + (left == 0 ? 0 : 1));
      }
      if (!plug.peer().isEmpty()) {
        bridges.stream()
            .filter(next -> next.plug(plug.peer()).isPresent())
            .forEach(next -> cross(next, entering(next, plug.peer(), left), tagCount));
      }
    }
  }

  private static int entering(SwitchBridge bridge, String patch, int vlan) {
    return vlan != 0 ? vlan : bridge.plug(patch).map(SwitchBridge.Plug::tag).orElse(0);
  }

  /** A device that the kernel does not have, as with DPDK, has nothing below it. */
  private void leave(SwitchBridge.Plug plug, int tagCount) {
    Link link = byName.get(plug.device());
    if (link != null) {
      open.add(new Step(link, tagCount));
      return;
    }
    layers.putIfAbsent(
        plug.device(), new Layer(plug.device(), Kind.UPLINK, plug.mtuBytes(), tagCount));
  }

  private void add(Step step, Kind kind) {
    Link link = step.link();
    layers.putIfAbsent(link.name(), new Layer(link.name(), kind, link.mtuBytes(), step.tagCount()));
  }

  private static boolean isBundle(Link link) {
    return BUNDLES.contains(driver(link)) || driver(link).equals(BRIDGE);
  }

  /** Its kind; empty for hardware. */
  private static String driver(Link link) {
    return link.kind() == null ? "" : link.kind();
  }

  private static Kind kind(Link link) {
    if (BUNDLES.contains(driver(link))) {
      return Kind.BOND;
    }
    return driver(link).equals(BRIDGE) ? Kind.BRIDGE : Kind.LOWER;
  }

  /** Names of the layers that packets leave by. */
  static Set<String> uplinks(List<Layer> layers) {
    Set<String> names = new HashSet<>();
    layers.stream()
        .filter(layer -> layer.kind() == Kind.UPLINK)
        .forEach(layer -> names.add(layer.name()));
    return names;
  }
}
