package io.gatehouse.agent.observe.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.netlink.Link;
import io.gatehouse.agent.observe.underlay.SwitchBridge.Plug;
import io.gatehouse.agent.state.underlay.UnderlayStack.Kind;
import io.gatehouse.agent.state.underlay.UnderlayStack.Layer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From the VTEP address to the wire. */
class LayerWalkTest {
  private final List<Link> links = new ArrayList<>();
  private final List<SwitchBridge> bridges = new ArrayList<>();

  private Link link(String name, int mtuBytes) {
    return link(name, mtuBytes, null, 0, 0);
  }

  private Link link(String name, int mtuBytes, @Nullable String kind, int master, int lower) {
    Link link =
        new Link(
            links.size() + 1,
            name,
            mtuBytes,
            null,
            Link.AdminState.UP,
            Link.OperState.UP,
            true,
            kind,
            master,
            lower,
            null,
            null);
    links.add(link);
    return link;
  }

  private void bridge(String name, Plug... plugs) {
    bridges.add(new SwitchBridge(name, List.of(plugs)));
  }

  private static Plug device(String name) {
    return new Plug(name, "", "", 0, 0);
  }

  private static Plug internal(String name, int tag) {
    return new Plug(name, "internal", "", tag, 0);
  }

  private List<Layer> below(Link top) {
    return LayerWalk.below(top, links, bridges, Set.of("pf0vf0"));
  }

  @Test
  void aDeviceWithNothingBelowIsTheUplink() {
    Link p0 = link("p0", 9_000);
    link("p1", 1_500);
    assertThat(below(p0)).containsExactly(new Layer("p0", Kind.UPLINK, 9_000, 0));
  }

  @Test
  void aVlanOnABondOfTwo() {
    Link bond = link("bond0", 9_000, "bond", 0, 0);
    link("p0", 9_000, null, bond.index(), 0);
    link("p1", 1_500, null, bond.index(), 0);
    Link vlan = link("bond0.100", 9_000, "vlan", 0, bond.index());
    assertThat(below(vlan))
        .containsExactly(
            new Layer("bond0", Kind.BOND, 9_000, 1),
            new Layer("p0", Kind.UPLINK, 9_000, 1),
            new Layer("p1", Kind.UPLINK, 1_500, 1));
    Link twice = link("q", 8_996, "vlan", 0, vlan.index());
    assertThat(below(twice))
        .contains(
            new Layer("bond0.100", Kind.LOWER, 9_000, 1), new Layer("p1", Kind.UPLINK, 1_500, 2));
  }

  /** F06: the address is on br-phy, packets leave by p0. */
  @Test
  void f06TheBridgeThatCarriesTheUplink() {
    Link local = link("br-phy", 1_500, "openvswitch", 0, 0);
    link("p0", 9_216);
    link("pf0vf0", 1_500);
    bridge("br-phy", internal("br-phy", 0), device("p0"), device("pf0vf0"));
    bridge("gh-int", internal("gh-int", 0), device("pf0vf1"));
    assertThat(below(local))
        .as("a tenant's device is no way out")
        .containsExactly(
            new Layer("br-phy", Kind.SWITCH, 1_500, 0), new Layer("p0", Kind.UPLINK, 9_216, 0));
  }

  @Test
  void anAccessPortOfTheSwitchTagsWhatLeavesByATrunk() {
    link("br-phy", 1_500, "openvswitch", 0, 0);
    Link vtep = link("vtep0", 9_000, "openvswitch", 0, 0);
    link("p0", 9_000);
    link("p1", 9_000);
    bridge(
        "br-phy",
        internal("br-phy", 0),
        internal("vtep0", 100),
        device("p0"),
        new Plug("p1", "", "", 100, 0));
    assertThat(below(vtep))
        .containsExactly(
            new Layer("br-phy", Kind.SWITCH, 1_500, 0),
            new Layer("p0", Kind.UPLINK, 9_000, 1),
            new Layer("p1", Kind.UPLINK, 9_000, 0));
  }

  @Test
  void patchesAreFollowedOnceAndADpdkPortHasItsMtuFromTheSwitch() {
    Link vtep = link("br-a", 9_000, "tun", 0, 0);
    bridge("br-a", internal("br-a", 0), new Plug("a-b", "patch", "b-a", 0, 0));
    bridge(
        "br-b",
        new Plug("b-a", "patch", "a-b", 7, 0),
        new Plug("b-a2", "patch", "a-b", 0, 0),
        new Plug("dpdk0", "dpdk", "", 0, 4_200),
        new Plug("gone", "vxlan", "", 0, 65_000));
    assertThat(below(vtep))
        .containsExactly(
            new Layer("br-a", Kind.SWITCH, 9_000, 0),
            new Layer("br-b", Kind.SWITCH, 0, 0),
            new Layer("dpdk0", Kind.UPLINK, 4_200, 1));
  }

  @Test
  void aBridgeOfTheKernelIsOne() {
    Link bridge = link("br0", 1_500, "bridge", 0, 0);
    link("p0", 9_000, null, bridge.index(), 0);
    link("pf0vf0", 9_000, null, bridge.index(), 0);
    Link vlan = link("br0.5", 1_500, "vlan", 0, bridge.index());
    assertThat(below(vlan))
        .containsExactly(
            new Layer("br0", Kind.BRIDGE, 1_500, 1), new Layer("p0", Kind.UPLINK, 9_000, 1));
    Link alone = link("br1", 1_500, "bridge", 0, 0);
    assertThat(below(alone)).containsExactly(new Layer("br1", Kind.UPLINK, 1_500, 0));
  }

  @Test
  void anyTangleEndsWithinBounds() {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      links.clear();
      bridges.clear();
      List<String> kinds = List.of("vlan", "bond", "bridge", "veth", "openvswitch");
      for (int i = 0; i < 30; i++) {
        String kind = kinds.get(random.nextInt(kinds.size()));
        link("d" + i, 1_500 + i, kind, random.nextInt(32), random.nextInt(32));
      }
      for (int i = 0; i < 6; i++) {
        List<Plug> plugs = new ArrayList<>(Collections.singletonList(internal("d" + i, i)));
        for (int j = 0; j < 8; j++) {
          String type = List.of("", "internal", "patch", "vxlan").get(random.nextInt(4));
          plugs.add(
              new Plug("d" + random.nextInt(32), type, "d" + random.nextInt(32), j % 2, 1_500));
        }
        bridges.add(new SwitchBridge("d" + i, plugs));
      }
      Link top = links.get(random.nextInt(links.size()));
      List<Layer> layers = LayerWalk.below(top, links, bridges, Set.of("d7"));
      assertThat(layers).as("seed %s", seed).hasSizeBetween(1, 16).doesNotHaveDuplicates();
      assertThat(layers).as("seed %s", seed).allMatch(layer -> layer.tagCount() <= 31);
    }
  }
}
