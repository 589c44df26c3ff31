package io.gatehouse.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.sysfs.FunctionResolver;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineObserverTest {
  private static final MeterView METERS = new MeterView(Map.of(), Set.of(), 9);
  private static final KernelView KERNEL =
      new KernelView(Map.of(), Set.of(), KernelView.UnderlayView.NOT_KEPT);

  @TempDir private Path devices;
  private final List<String> looks = new ArrayList<>();
  private Optional<PortZone> zone = Optional.empty();
  private boolean bridgeKnown = true;
  private boolean flowsKnown = true;
  private MachineObserver machine;

  @BeforeEach
  void makeDevices() throws IOException {
    Files.createDirectories(devices.resolve("rep0"));
    Files.createDirectories(devices.resolve("rep1"));
    machine =
        new MachineObserver(
            functions -> {
              looks.add("bridges " + new TreeSet<>(functions));
              return bridgeKnown ? new Observed.Known<>(bridge()) : new Observed.Unknown<>("away");
            },
            () -> {
              looks.add("flows");
              return flowsKnown
                  ? new Observed.Known<>(FlowView.EMPTY)
                  : new Observed.Unknown<>("no answer");
            },
            () -> looked("meters", METERS),
            () -> looked("limits", ConnectionLimitView.NONE),
            new FakeKernel(),
            new FunctionResolver(devices, Set.of("rep0", "rep1", "rep2")));
  }

  private <V> Observed<V> looked(String what, V view) {
    looks.add(what);
    return new Observed.Known<>(view);
  }

  private BridgeView bridge() {
    PortView port =
        new PortView(
            new UUID(0, 1),
            new UUID(0, 2),
            "rep0",
            "system",
            Map.of(),
            Optional.of("owner"),
            OptionalInt.empty(),
            OptionalInt.of(9_216),
            zone,
            OptionalInt.of(4),
            Optional.of("it has a fault"));
    return new BridgeView(
        true,
        Map.of(),
        new TreeMap<>(Map.of("rep0", port)),
        false,
        true,
        Map.of("rep1", "stranger"),
        List.of(),
        List.of());
  }

  private final class FakeKernel implements MachineObserver.KernelLook {
    @Override
    public Observed<KernelView> observe() {
      return looked("kernel", KERNEL);
    }

    @Override
    public void mayHaveChanged() {
      looks.add("kernel told");
    }
  }

  @Test
  void factsAreWhatTheSwitchAndTheDevicesSay() throws Exception {
    Observation seen = machine.observe(List.of("rep0", "rep2", "rep9"));

    assertThat(seen.facts().devices()).containsExactly(Map.entry("rep0", "rep0"));
    assertThat(seen.facts().openFlowPort("rep0")).hasValue(4);
    assertThat(seen.facts().switchErrors()).containsEntry("rep0", "it has a fault");
    assertThat(seen.facts().mtus()).containsEntry("rep0", 9_216);
    assertThat(seen.facts().otherBridges()).containsEntry("rep1", "stranger");
    assertThat(seen.facts().switchUnknown()).isEmpty();
    assertThat(seen.kernel()).isEqualTo(new Observed.Known<>(KERNEL));
  }

  @Test
  void limitsAreAskedForOnlyWhereAPortHasAZone() throws Exception {
    assertThat(machine.observe(List.of()).limits())
        .isEqualTo(new Observed.Known<>(ConnectionLimitView.NONE));
    assertThat(looks).doesNotContain("limits");

    zone = Optional.of(new PortZone(7, "owner"));
    Observation seen = machine.observe(List.of());
    assertThat(looks).contains("limits");
    assertThat(seen.facts().zones()).containsEntry("rep0", new PortZone(7, "owner"));

    flowsKnown = false;
    assertThat(machine.observe(List.of()).limits().isKnown()).isFalse();
  }

  @Test
  void withoutTheBridgeNothingOfItIsKnownAndNothingOfItIsEmpty() throws Exception {
    bridgeKnown = false;
    Observation seen = machine.observe(List.of("rep0"));

    assertThat(seen.bridge()).isEqualTo(new Observed.Unknown<>("away"));
    assertThat(seen.meters().isKnown()).isFalse();
    assertThat(seen.flows().isKnown()).isFalse();
    assertThat(seen.facts().switchUnknown()).contains("away");
    assertThat(seen.facts().devices()).containsEntry("rep0", "rep0");
    assertThat(looks).doesNotContain("meters", "flows", "limits");
  }

  @Test
  void functionsAreReadAgainOnlyWhenLinksMayHaveChanged() throws Exception {
    machine.observe(List.of());
    Files.createDirectories(devices.resolve("rep2"));
    assertThat(machine.observe(List.of("rep2")).facts().devices()).isEmpty();

    machine.linksMayHaveChanged();
    assertThat(looks).endsWith("kernel told");
    assertThat(machine.observe(List.of("rep2")).facts().devices()).containsKey("rep2");
    assertThat(looks).contains("bridges [rep0, rep1]", "bridges [rep0, rep1, rep2]");
    assertThat(machine.functions()).hasSize(3);
  }
}
