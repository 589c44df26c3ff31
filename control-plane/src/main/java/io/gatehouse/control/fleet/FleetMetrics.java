package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.mtu.underlay.UnderlayLayers;
import io.gatehouse.model.name.DpuName;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.ToDoubleFunction;

/** What is measured of the fleet as a whole; no DPU and no tenant is named. */
public final class FleetMetrics {
  private static final double[] SHOWN = {0.5, 0.99, 1.0};

  private final ProgressBoard board;
  private final DpuStatusStore store;
  private final InstantSource clock;
  private final Timer age;

  private FleetMetrics(
      MeterRegistry registry, ProgressBoard board, DpuStatusStore store, InstantSource clock) {
    this.board = board;
    this.store = store;
    this.clock = clock;
    this.age =
        Timer.builder("gatehouse.dpu.last.seen.age")
            .description("Age of each DPU's last message, sampled every few seconds")
            .publishPercentiles(SHOWN)
            .register(registry);
  }

  /** Registers the meters; {@link #sample} is called every few seconds. */
  public static FleetMetrics register(
      MeterRegistry registry, ProgressBoard board, DpuStatusStore store, InstantSource clock) {
    FleetMetrics metrics = new FleetMetrics(registry, board, store, clock);
    metrics.gauge(
        registry, "gatehouse.journal.revision", "Newest revision", m -> m.board.image().revision());
    metrics.gauge(
        registry, "gatehouse.dpus", "Registered DPUs", m -> m.board.image().dpus().size());
    metrics.gauge(
        registry,
        "gatehouse.dpus.lagging",
        "DPUs that have not confirmed all that concerns them",
        FleetMetrics::laggards);
    metrics.gauge(
        registry,
        "gatehouse.dpus.underlay.smaller",
        "DPUs whose interface with the VTEP address has a smaller MTU than is declared",
        FleetMetrics::smallerUnderlays);
    metrics.gauge(
        registry,
        "gatehouse.dpus.layers.smaller",
        "DPUs with a device, bridge or switch below the VTEP address that takes less than is"
            + " declared",
        FleetMetrics::smallerLayers);
    metrics.gauge(
        registry,
        "gatehouse.vnis.resting",
        "VNIs of removed networks that some DPU may still carry",
        m -> m.board.image().restingVnis().size());
    metrics.gauge(
        registry,
        "gatehouse.dpu.status.unwritten",
        "Statuses that wait to be written to the database",
        m -> m.store.dirtyCount());
    return metrics;
  }

  /** Measures the age of every DPU's last message once. */
  public void sample() {
    Instant now = clock.instant();
    Image image = board.image();
    for (DpuName dpu : image.dpus().keySet()) {
      Instant seen = store.state(dpu).lastSeen();
      if (seen.isAfter(Instant.EPOCH)) {
        Duration since = Duration.between(seen, now);
        age.record(since.isNegative() ? Duration.ZERO : since);
      }
    }
  }

  private double laggards() {
    return board.lowWater(new Scope.Fleet()).map(water -> water.laggards().size()).orElse(0);
  }

  private double smallerUnderlays() {
    return board.image().dpus().values().stream()
        .filter(
            dpu -> {
              int read = store.underlayMtuBytes(dpu.name());
              return read != 0 && read < dpu.underlayMtuBytes();
            })
        .count();
  }

  private double smallerLayers() {
    return board.image().dpus().values().stream()
        .filter(
            dpu ->
                store
                    .underlay(dpu.name())
                    .filter(seen -> UnderlayLayers.isTooSmall(dpu.underlayMtuBytes(), seen))
                    .isPresent())
        .count();
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<FleetMetrics> value) {
    Gauge.builder(name, this, value)
        .description(description)
        .strongReference(true)
        .register(registry);
  }
}
