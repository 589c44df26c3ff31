package io.gatehouse.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Health.Component;
import io.gatehouse.agent.state.Health.Part;
import io.gatehouse.agent.state.Health.State;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.Changes;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ComponentReporterTest {
  private static final Changes NONE =
      new Changes(KernelChange.NONE, FlowChange.NONE, BridgeChange.NONE);

  private OptionalInt tunnelNumber = OptionalInt.of(1);
  private boolean restoreWait;
  private boolean configured = true;
  private List<String> alarms = List.of();
  private ConnectionLimitView limits = ConnectionLimitView.NONE;
  private KernelView.UnderlayView underlay = KernelView.UnderlayView.NOT_KEPT;

  private Observation observation() {
    PortView tunnel =
        new PortView(
            new UUID(0, 1),
            new UUID(0, 2),
            Site.TUNNEL_PORT,
            "vxlan",
            Map.of(),
            Optional.of("tunnel"),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            tunnelNumber,
            Optional.empty());
    return new Observation(
        new Observed.Known<>(
            new BridgeView(
                true,
                Map.of(),
                new TreeMap<>(Map.of(Site.TUNNEL_PORT, tunnel)),
                restoreWait,
                configured,
                Map.of(),
                alarms,
                List.of())),
        new Observed.Known<>(new MeterView(Map.of(), Set.of(), 9)),
        new Observed.Known<>(limits),
        new Observed.Known<>(FlowView.EMPTY),
        new Observed.Known<>(new KernelView(Map.of(), Set.of(), underlay)),
        Facts.NONE);
  }

  private static String of(Part part, Observation observation, Changes changes) {
    Component component =
        ComponentReporter.report(observation, changes).stream()
            .filter(candidate -> candidate.part() == part)
            .findFirst()
            .orElseThrow();
    return component.state() + " " + component.detail();
  }

  @Test
  void allIsWell() {
    assertThat(ComponentReporter.report(observation(), NONE))
        .hasSize(Part.values().length)
        .allMatch(component -> component.state() == State.OK && component.detail().isEmpty());
  }

  @Test
  @DisplayName("F18: unknown is never OK")
  void unknownIsNeverOk() {
    Observation nothing =
        new Observation(
            new Observed.Unknown<>("no database"),
            new Observed.Unknown<>("no bridge"),
            new Observed.Unknown<>("no bridge"),
            new Observed.Unknown<>("no bridge"),
            new Observed.Unknown<>("no kernel"),
            Facts.NONE);
    assertThat(of(Part.OVSDB, nothing, NONE)).isEqualTo("UNKNOWN no database");
    assertThat(of(Part.OPENFLOW, nothing, NONE)).isEqualTo("UNKNOWN no bridge");
    assertThat(of(Part.TUNNELS, nothing, NONE)).isEqualTo("UNKNOWN no database");
    assertThat(of(Part.GUARD, nothing, NONE)).isEqualTo("UNKNOWN no kernel");
  }

  @Test
  @DisplayName("F25: a bridge that joins uplink and host is an alarm")
  void anAlarmFails() {
    alarms = List.of("bridge ovsbr1 joins up0 with [rep0]");
    assertThat(of(Part.OVSDB, observation(), NONE)).isEqualTo("FAILED " + alarms.get(0));
  }

  @Test
  @DisplayName("F13: a switch that still waits for its flows has failed, however right they are")
  void aWaitingSwitchHasFailed() {
    restoreWait = true;
    assertThat(of(Part.OPENFLOW, observation(), NONE))
        .isEqualTo("FAILED flow-restore-wait is still set");
  }

  @Test
  @DisplayName("F18: a configuration that the switch has not taken is not OK")
  void notTaken() {
    configured = false;
    assertThat(of(Part.OVSDB, observation(), NONE)).startsWith("DEGRADED ovs-vswitchd");
  }

  @Test
  @DisplayName("F16: an underlay without its address or route carries no tunnel")
  void noUnderlay() {
    underlay = new KernelView.UnderlayView(true, false, 0);
    assertThat(of(Part.TUNNELS, observation(), NONE)).startsWith("FAILED the underlay device");
    underlay = KernelView.UnderlayView.NOT_KEPT;
    tunnelNumber = OptionalInt.empty();
    assertThat(of(Part.TUNNELS, observation(), NONE))
        .isEqualTo("FAILED port gh-vxlan: no switch port");
  }

  @Test
  void whatIsStillToBeChangedIsDegraded() {
    KernelChange kernel =
        new KernelChange(List.of("rep0"), List.of(), List.of("rep0"), List.of(), Optional.empty());
    assertThat(
            of(Part.GUARD, observation(), new Changes(kernel, FlowChange.NONE, BridgeChange.NONE)))
        .isEqualTo("DEGRADED 2 changes to make");
  }

  @Test
  void limitsForWhichTheTrackerHasNoRoomAreToldUntilItHas() {
    Map<Integer, Long> two = Map.of(5, 200_000L, 6, 62_145L);
    limits = new ConnectionLimitView(two, OptionalLong.of(262_144), Optional.empty());
    assertThat(of(Part.OPENFLOW, observation(), NONE))
        .startsWith("DEGRADED the connection tracker takes 262144 connections")
        .contains("the limits of ports allow 262145");
    limits = new ConnectionLimitView(two, OptionalLong.of(262_145), Optional.empty());
    assertThat(of(Part.OPENFLOW, observation(), NONE)).isEqualTo("OK ");
    limits = new ConnectionLimitView(two, OptionalLong.empty(), Optional.empty());
    assertThat(of(Part.OPENFLOW, observation(), NONE)).isEqualTo("OK ");
  }
}
