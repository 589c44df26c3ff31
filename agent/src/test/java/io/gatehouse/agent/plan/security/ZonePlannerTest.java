package io.gatehouse.agent.plan.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.PortZone;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ZonePlannerTest {
  private static SortedMap<String, String> wanted(String... devices) {
    SortedMap<String, String> wanted = new TreeMap<>();
    for (String device : devices) {
      wanted.put(device, "uid of " + device);
    }
    return wanted;
  }

  private static PortZone zone(int number, String device) {
    return new PortZone(number, "uid of " + device);
  }

  @Test
  @DisplayName("F31: a port keeps its zone, whoever comes and goes")
  void aPortKeepsItsZone() {
    Map<String, PortZone> held = Map.of("b", zone(7, "b"), "c", zone(1, "c"));
    assertThat(ZonePlanner.plan(wanted("a", "b", "c"), held))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", zone(2, "a"), "b", zone(7, "b"), "c", zone(1, "c")));
  }

  @Test
  void anotherIncarnationGetsAnotherZone() {
    Map<String, PortZone> held = Map.of("a", new PortZone(1, "the one before"));
    assertThat(ZonePlanner.plan(wanted("a"), held)).containsEntry("a", zone(2, "a"));
  }

  @Test
  void aZoneThatALeavingPortStillHasIsNobodyElses() {
    assertThat(ZonePlanner.plan(wanted("a"), Map.of("gone", zone(1, "gone"))))
        .containsEntry("a", zone(2, "a"));
  }

  @Test
  void ofTwoRowsWithTheSameZoneOneGetsAnother() {
    Map<String, PortZone> held = Map.of("a", zone(1, "a"), "b", zone(1, "b"));
    assertThat(ZonePlanner.plan(wanted("a", "b"), held))
        .containsEntry("a", zone(1, "a"))
        .containsEntry("b", zone(2, "b"));
  }

  @Test
  void whenThereIsNoneLeftThePortHasNone() {
    Map<String, PortZone> held = new HashMap<>();
    for (int number = 1; number <= PortZone.MAX; number++) {
      held.put("held" + number, zone(number, "held" + number));
    }
    assertThat(ZonePlanner.plan(wanted("a"), held)).isEmpty();
  }

  @Test
  @DisplayName("F30: a zone for each port, never 0 and never another port's")
  void zonesAreUnique() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SortedMap<String, String> wanted = new TreeMap<>();
      Map<String, PortZone> held = new HashMap<>();
      for (int port = 0; port < 12; port++) {
        if (random.nextBoolean()) {
          wanted.put("rep" + port, "uid" + random.nextInt(2));
        }
        if (random.nextBoolean()) {
          held.put("rep" + port, new PortZone(1 + random.nextInt(9), "uid" + random.nextInt(2)));
        }
      }
      SortedMap<String, PortZone> zones = ZonePlanner.plan(wanted, held);
      assertThat(zones.keySet()).as("seed %d", seed).isEqualTo(wanted.keySet());
      Set<Integer> numbers = new HashSet<>();
      for (Map.Entry<String, PortZone> port : zones.entrySet()) {
        PortZone zone = port.getValue();
        assertThat(numbers.add(zone.number())).as("seed %d: %s", seed, zones).isTrue();
        assertThat(zone.number()).isBetween(1, PortZone.MAX);
        boolean kept = zone.equals(held.get(port.getKey()));
        boolean free = held.values().stream().noneMatch(h -> h.number() == zone.number());
        assertThat(kept || free).as("seed %d: %s of %s", seed, zones, held).isTrue();
      }
    }
  }
}
